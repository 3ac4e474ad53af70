/// A passing moment of a sign-in, as far as its page differs. A page asks for it to learn whether there is news.
enum SignInStage: String, Sendable {
    case redeeming, waiting, code, delivering
    /// The response cannot be judged for the moment; the browser keeps it.
    case again
    /// Every page that stays as it is, and every page for a browser that may not see the sign-in.
    case still
}

extension PageContent {
    var stage: SignInStage {
        switch self {
        case .redeeming: .redeeming
        case .waitingForApp: .waiting
        case .releaseCode: .code
        case .delivering: .delivering
        case .comingAgain: .again
        case .collected, .returning, .failed, .delivered, .undelivered, .passedOn, .confirmStart, .neutral,
            .startedElsewhere, .fragment, .refused:
            .still
        }
    }
}
