internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// The events that the gateway reports. Each is reported once, where it happens. The listeners (``EventSink``) make log
/// lines, counts and steps of a sign-in's timeline from it.
///
/// No case has room for a secret: the words of a callback or an issuer are reported by names from fixed lists.
enum GatewayEvent: Sendable {
    /// A step in the life of a sign-in.
    case signIn(SignInStep, reference: Reference, app: AppID)
    /// A callback came, by a browser or as a string.
    case callback(CallbackReport)
    /// A handler was tried for a callback of an app that keeps its own state.
    case delivered(DeliveryReport)
    /// A browser was sent on to an app that holds no requests.
    case dispatched(app: AppID)
    /// A signed authorization response was not believed, for a reason from a fixed list.
    case responseNotTrusted(reason: String, reference: Reference, app: AppID)
    /// A caller was refused because of a limit; callbacks are reported as ``callback(_:)``.
    case limited(GatewayLimit, app: AppID?, from: Caller)
    /// The gateway had the issuer do something with an app's token, or tried to.
    /// - Parameter failure: nil when it was done.
    case token(TokenUse, failure: SignInFailureNote?, app: AppID, from: Caller)
    /// A network has given so many wrong release proofs for an app that its begins and releases are refused for now.
    case releaseGuessed(app: AppID, network: String)
    /// The app's `begin_from` does not permit this caller.
    case beginRefused(app: AppID, from: Caller)
    /// The app's `use_from` does not permit this program at its user's agent.
    /// - Parameter program: as what it was seen.
    case useRefused(app: AppID, program: String, from: Caller)
    /// A call of the API, a page of ours, or bytes that are no request, got an error for an answer.
    /// - Parameter detail: what is wrong with bytes that are no request.
    case callRefused(code: String, status: Int, detail: String? = nil, from: Caller)
    /// The store fails; reported once, and again every ten seconds while it lasts.
    /// - Parameter failures: the failed operations since the last report.
    case storeFailed(reason: String, failures: Int)
    /// The gateway has called an issuer.
    case issuerCalled(IssuerExchange)
    /// The gateway itself.
    case gateway(GatewayNews)
}

/// The uses of a token for which an app asks the gateway.
enum TokenUse: String, Sendable, CaseIterable {
    /// A refresh token was exchanged for new tokens.
    case refreshed
    /// A token was taken out of use.
    case revoked
    /// An agent gave a program an access token.
    case given
}

/// The report on a callback.
struct CallbackReport: Sendable {
    let outcome: CallbackOutcome
    /// The app of the redirect URI; nil if the URI belongs to no app.
    let app: AppID?
    /// The reference of the request with this state, or of this refusal alone, which its page shows; nil if no page
    /// shows one.
    let reference: Reference?
    /// Whether the reference is a request's.
    let isOfRequest: Bool
    let caller: Caller
    /// The way that the callback came; nil if it was refused before that was checked.
    let channel: CallbackChannel?
    /// Whether it names its issuer, and rightly; nil unless that was looked at.
    let isIssuerNamed: Bool?
    /// Why the request could not be read; nil for one that could.
    var error: HTTPError?

    /// Whether a program brought it.
    var isRelayed: Bool { channel == .relay }
}

/// The report on one handler that was tried for a callback.
struct DeliveryReport: Sendable {
    let app: AppID
    /// The reference of the callback, by which its history is found.
    let reference: Reference
    let handler: DeliveryName
    let result: DeliveryResult
    let duration: Duration
    /// The caller that brought the callback.
    let caller: Caller
    /// How many tries have failed with this one, where another one follows; 0 for the last word.
    var setbacks = 0

    /// Whether another try follows.
    var isTriedAgain: Bool { setbacks > 0 }
}

/// The channel that a callback comes by.
enum CallbackChannel: String, Sendable, CaseIterable {
    case query
    case formPost = "form_post"
    case fragment
    case relay
    /// Another gateway, which carries callbacks to this agent.
    case gateway

    init(_ carrier: ResponseMode.Carrier) {
        self =
            switch carrier {
            case .query: .query
            case .form: .formPost
            case .fragment: .fragment
            }
    }
}

/// A step in the life of a sign-in.
enum SignInStep: Sendable {
    case begun(from: Caller)
    /// A browser saw the page about the asking program and the app.
    case startPageSeen
    /// A browser was sent to the issuer.
    case started
    /// The response waits until the app proves that it belongs to the browser; nil where another gateway holds it and alone
    /// knows by which proof.
    case held(RequestRecord.Held.Proof?)
    case released
    /// The app gave a wrong proof.
    case wrongCode(attemptsLeft: Int)
    /// The person at the browser said that another person began it.
    case denied
    /// The issuer gave tokens for the code.
    case redeemed(issuer: String, after: Duration)
    /// The user's agent cannot keep the tokens for that user's programs, or can after all.
    case keeping(KeepingNews)
    /// The result was sealed to the app's key.
    case sealed
    case completed
    /// The app has the callback without asking here: a handler handed it over, or the browser was sent on with it.
    case passedOn(by: DeliveryName)
    case failed(SignInFailureNote)
    /// The app has read the outcome.
    case collected
    /// The app has its result, and the outcome is forgotten.
    case acknowledged
    case canceled
    case expired

    /// Whether the app does it with a request that is over.
    var isAfterEnd: Bool {
        switch self {
        case .collected, .acknowledged: true
        case .begun, .startPageSeen, .started, .held, .released, .wrongCode, .denied, .redeemed, .keeping, .sealed,
            .completed, .passedOn, .failed, .canceled, .expired:
            false
        }
    }
}
