internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardText

/// The meaning of a name that operators meet, and the remedy: the one table of causes and remedies. Histories,
/// `switchyard explain` and the reference of errors are made from it.
///
/// Each kind is a closed list with a switch that has no default, so a new name does not compile until it is explained.
public struct Explanation: Hashable, Sendable {
    /// The kind of name, by the place where users meet it.
    public enum Kind: String, CaseIterable, Sendable {
        /// `error.code` of a sign-in that failed.
        case failure
        /// Why exactly, in the log and in histories, where the code has several causes.
        case cause
        /// The obstacle between the gateway and the issuer's tokens: `cause` of a failure, `reason` of
        /// `issuer_failing`.
        case obstacle
        /// Why an agent could not keep the tokens of a sign-in, in the log and in histories.
        case keeping
        /// The outcome of a callback, in the log, in metrics and in histories.
        case callback
        /// The result of a handler, in the log, in metrics and in histories.
        case delivery
        /// The reason that a program gets which relays a callback.
        case relay
        /// A key below `limits`.
        case limit
        /// `error` in an answer of the apps' API and of the admin listener.
        case answer
        /// An issuer's error, as OAuth, OpenID Connect or a provider with many apps names it.
        case oauth
        /// The number of an error of Microsoft Entra ID or Azure AD B2C.
        case entra
        /// The name of an event in the log.
        case event
        /// A value beside an event that names no fault.
        case detail
    }

    public let kind: Kind
    /// The name in its written form.
    public let name: String
    /// One sentence without its end, to be printed behind the name.
    public let cause: String
    /// The steps for an operator, or for the person that the operator has on the phone.
    public let remedy: String
    /// For a refused callback: the status of its page, and the answer for a relaying program; nil elsewhere.
    public var page: Int?
    public var relayRefusal: String?
    /// In lower case: what a text begins with, or has in it, that means the same. Nil where only the name does.
    var sentence: String?

    /// Everything, by kind.
    public static let all: [Explanation] = {
        var all: [Explanation] = []
        all += SignInFailure.Code.allCases.map { $0.explanation }
        all += SignInFailureNote.Cause.allCases.map { $0.explanation }
        all += SignInObstacle.Name.allCases.map { $0.explanation }
        all += SignInObstacle.shownStatuses.map { SignInObstacle.status($0).explanation }
        all += KeepingProblem.Reason.allCases.map { $0.explanation }
        all += CallbackOutcome.allCases.map { $0.explanation }
        all += DeliveryResult.allCases.map { $0.explanation }
        all += RelayRefusal.allCases.map { $0.explanation }
        all += GatewayLimit.allCases.map { $0.explanation }
        all += APIErrorName.allCases.map { $0.explanation }
        all += OAuthErrorName.allCases.map { $0.explanation }
        all += ProviderErrorName.allCases.map { $0.explanation }
        all += EntraError.allCases.map { $0.explanation }
        all += B2CError.allCases.map { $0.explanation }
        all += LogEventName.allCases.map { $0.explanation }
        all += LogDetail.explanations
        return all
    }()

    /// The explanations of a name as people write it: in any case, with `-` or a space for `_`; the number of an Entra
    /// error with or without `AADSTS`; a sentence of the log that says the same.
    public static func named(_ text: String) -> [Explanation] {
        let folded = Substring(text).trimmingSpaces().asciiLowercased
        let name = String(folded.map { $0 == "-" || $0 == " " ? "_" : $0 })
        if let number = MicrosoftErrorNumber(name) { return [number.explanation] }
        // Bare digits may be a reference as well.
        if let known = MicrosoftErrorNumber(digits: name)?.knownExplanation { return [known] }
        let named = all.filter { $0.name == name }
        if !named.isEmpty { return named }
        if let obstacle = SignInObstacle(label: name) { return [obstacle.explanation] }
        return all.first { $0.sentence.map(folded.contains) ?? false }.map { [$0] } ?? []
    }

    /// A reference in its written form, from the way people write it; nil for other text.
    public static func reference(said text: String) -> String? { Reference(said: text).map { "\($0)" } }

    init(_ kind: Kind, _ name: String, _ words: Words) {
        self.kind = kind
        self.name = name
        cause = words.cause
        remedy = words.remedy
    }

    /// A cause and its remedy.
    typealias Words = (cause: String, remedy: String)
}
