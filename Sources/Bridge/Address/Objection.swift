/// Why an address is not one that can be bridged.
public enum Objection: Error, Hashable, Sendable, CaseIterable {
    case tooLong
    case malformed
    case notHTTPS
    case notAuthorizationRequest
    case repeatedParameter
    /// Of a parameter's name.
    case oddSpelling
    case pushedRequest
    case requestObject
    case noState
    case noRedirectURI
    case redirectMalformed
    case redirectElsewhere
    case secureLoopback
    case noPort
    case answerInFragment
    case signedAnswer

    /// As the end of a sentence that begins with the address.
    public var words: String {
        switch self {
        case .tooLong: "it is longer than \(AddressJudge.maximumBytes) bytes"
        case .malformed: "it holds what no address may hold"
        case .notHTTPS: "it is not https"
        case .notAuthorizationRequest: "it is no OAuth authorization request (response_type and client_id)"
        case .repeatedParameter: "it gives a parameter twice, so what it asks for cannot be told"
        case .oddSpelling: "it spells a parameter in capitals, so what it asks for cannot be told"
        case .pushedRequest: "its parameters are at the issuer (a pushed request), so what it asks for cannot be told"
        case .requestObject: "its parameters are in a request object, so what it asks for cannot be told"
        case .noState: "it has no state, so its callback could not be told from anybody else's"
        case .noRedirectURI: "it names no redirect URI"
        case .redirectMalformed: "its redirect URI is none that can be compared"
        case .redirectElsewhere: "it does not lead back to this program's own machine"
        case .secureLoopback: "its redirect URI is https on loopback, whose certificate is on the other machine"
        case .noPort: "its redirect URI names no port from \(LoopbackEndpoint.lowestPort) up"
        case .answerInFragment: "it is answered in a fragment, which no listener sees"
        case .signedAnswer: "its answer is signed, so its state cannot be seen on the way back"
        }
    }

    /// Whether the address at least began as a sign-in.
    var isOfSignIn: Bool {
        switch self {
        case .tooLong, .malformed, .notHTTPS, .notAuthorizationRequest: false
        default: true
        }
    }
}
