internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardText

/// The meaning of a name that operators meet, and the remedy: the one table of causes and remedies. Histories,
/// `switchyard explain` and the reference of errors are made from it.
///
/// Each kind is a closed list with a switch that has no default, so a new name does not compile until it is explained.
public struct Explanation: Hashable, Sendable {
    /// Where the name is met.
    public enum Kind: String, CaseIterable, Sendable {
        /// `error.code` of a sign-in that failed.
        case failure
        /// Why exactly, in the log and in histories, where the code has several causes.
        case cause
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
        /// An issuer's error, as OAuth and OpenID Connect name them.
        case oauth
        /// The number of an error of Microsoft Entra ID.
        case entra
        /// `event` of a line of the log that tells of the gateway itself.
        case log
    }

    public let kind: Kind
    /// As it is written where it is met.
    public let name: String
    /// One sentence without its end, so that it stands behind the name.
    public let cause: String
    /// The steps for an operator, or for the person that the operator has on the phone.
    public let remedy: String
    /// For a refused callback: the status of its page, and the answer for a relaying program; nil elsewhere.
    public var page: Int?
    public var relayReason: String?

    /// Everything, by kind.
    public static let all: [Explanation] = {
        var all: [Explanation] = []
        all += SignInFailure.Code.allCases.map { $0.explanation }
        all += SignInFailureNote.Cause.allCases.map { $0.explanation }
        all += KeepingProblem.Reason.allCases.map { $0.explanation }
        all += CallbackOutcome.allCases.map { $0.explanation }
        all += DeliveryResult.allCases.map { $0.explanation }
        all += RelayReason.allCases.map { $0.explanation }
        all += GatewayLimit.allCases.map { $0.explanation }
        all += APIErrorName.allCases.map { $0.explanation }
        all += OAuthErrorName.allCases.map { $0.explanation }
        all += EntraError.allCases.map { $0.explanation }
        all += LogWord.allCases.map { $0.explanation }
        return all
    }()

    /// The explanations of a name as people write it: in any case, with `-` or a space for `_`; the number of an Entra
    /// error with or without `AADSTS`.
    public static func named(_ text: String) -> [Explanation] {
        let folded = Substring(text).trimmingSpaces().asciiLowercased
        let name = String(folded.map { $0 == "-" || $0 == " " ? "_" : $0 })
        var number = name[...]
        if number.hasPrefix("aadsts") { number = number.dropFirst(6).drop { $0 == "_" || $0 == ":" } }
        let digits = number.utf8.prefix(while: ASCII.isDigit).count
        // As the issuer's text begins: "AADSTS50011: The redirect URI …".
        if digits >= 4, digits == number.utf8.count || number.dropFirst(digits).hasPrefix(":") {
            let entra = "AADSTS\(number.prefix(digits))"
            return all.filter { $0.kind == .entra && $0.name == entra }
        }
        return all.filter { $0.name == name }
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
