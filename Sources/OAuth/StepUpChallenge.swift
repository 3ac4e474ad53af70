internal import SwitchyardText

/// A resource's demand for a stronger or more recent authentication: the error `insufficient_user_authentication` in a
/// `WWW-Authenticate` header (RFC 9470 section 3).
public struct StepUpChallenge: Hashable, Sendable {
    /// The longest header that is read, in bytes.
    public static let maximumLength = 8 * 1024

    public let stepUp: StepUp

    /// The first challenge with that error; nil for a header that has none.
    /// - Throws: ``StepUpChallengeError`` for a header that cannot be read to its end, and for a challenge that asks for
    ///   nothing or has a wrong value.
    public init?(_ header: String) throws(StepUpChallengeError) {
        guard header.utf8.count <= Self.maximumLength, let header = AuthenticateHeader(header),
            !header.challenges.isEmpty
        else { throw .unreadable }
        let challenge = header.challenges.first { challenge in
            ["bearer", "dpop"].contains(challenge.scheme)
                && challenge.parameters["error"] == "insufficient_user_authentication"
        }
        guard let challenge else { return nil }
        let contexts = challenge.parameters["acr_values"]
        if let contexts {
            guard contexts.allBytes(ASCII.isPrintable), contexts.contains(where: { $0 != " " })
            else { throw .wrongValue(name: "acr_values") }
        }
        var maxAge: Int64?
        if let text = challenge.parameters["max_age"] {
            guard text.allBytes(ASCII.isDigit), let seconds = Int64(text), StepUp.ages.contains(seconds) else {
                throw .wrongValue(name: "max_age")
            }
            maxAge = seconds
        }
        guard contexts != nil || maxAge != nil else { throw .asksForNothing }
        stepUp = StepUp(acrValues: contexts, maxAge: maxAge)
    }
}

extension StepUp {
    /// The values of `max_age` that are taken, in seconds.
    public static let ages: ClosedRange<Int64> = 0...Int64(Int32.max)
}

/// The reason why a header is no challenge to step up.
public enum StepUpChallengeError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable
    case wrongValue(name: String)
    case asksForNothing

    public var description: String {
        switch self {
        case .unreadable: "cannot be read as the value of a WWW-Authenticate header (RFC 9110 section 11.6.1)"
        case .wrongValue("max_age"): "has a max_age that is no whole number of seconds"
        case .wrongValue(let name): "has no usable value of \(name)"
        case .asksForNothing:
            "has the error insufficient_user_authentication, and neither acr_values nor max_age (RFC 9470 section 3)"
        }
    }
}
