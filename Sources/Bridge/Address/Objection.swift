/// The reason why an address cannot be bridged.
public enum Objection: Error, Hashable, Sendable, CaseIterable {
    case tooLong
    case malformed
    case notHTTPS
    case notAuthorizationRequest
    case repeatedParameter
    /// An oddly spelled parameter name.
    case oddSpelling
    /// A raw `;`, or a NUL.
    case oddSeparator
    /// No valid `application/x-www-form-urlencoded`.
    case undecodable
    case fragment
    case pushedRequest
    case requestObject
    case saml
    case noState
    case noRedirectURI
    case redirectMalformed
    case redirectElsewhere
    case secureLoopback
    case noPort
    case answerInFragment
    case signedAnswer

    /// The end of a sentence that begins with the address.
    public var words: String {
        switch self {
        case .tooLong: "it is longer than \(AddressJudge.maximumBytes) bytes"
        case .malformed: "it holds what no address may hold"
        case .notHTTPS: "it is not https"
        case .notAuthorizationRequest: "it is no OAuth authorization request (response_type and client_id)"
        case .repeatedParameter: "it gives a parameter twice, so what it asks for cannot be told"
        case .oddSpelling:
            "it spells a parameter in a way that services read differently (capitals, blanks, dots, brackets), so what it "
                + "asks for cannot be told"
        case .oddSeparator:
            "it holds a \";\" or a NUL, which some services take for the end of a parameter, so what it asks for cannot be told"
        case .undecodable: "its parameters cannot be decoded, so what it asks for cannot be told"
        case .fragment: "it has a fragment (#), which no authorization request has"
        case .pushedRequest: "its parameters are at the issuer (a pushed request), so what it asks for cannot be told"
        case .requestObject: "its parameters are in a request object, so what it asks for cannot be told"
        case .saml: "it is a SAML request, which a form at another address answers"
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

    /// A way round, as a sentence without a full stop; nil if there is no way to name.
    /// - Parameters:
    ///   - url: the address.
    ///   - host: the machine that its program runs on.
    public func remedy(for url: String, on host: String = "HOST") -> String? {
        let number = AddressJudge.redirectEndpoint(of: url).map { String($0.port) } ?? "PORT"
        let forwarding =
            "forward its port (ssh -L \(number):localhost:\(number) \(host)), and open the address yourself"
        switch self {
        case .tooLong, .malformed, .notHTTPS, .notAuthorizationRequest, .fragment: return nil
        case .repeatedParameter, .oddSpelling, .oddSeparator, .undecodable:
            return "report it to the program's authors; do not open it unless you know why it is written so"
        case .noState, .pushedRequest, .requestObject, .signedAnswer:
            return "if you have just started this sign-in, \(forwarding)"
        case .secureLoopback:
            return "if you have just started this sign-in, \(forwarding); your browser will not know the certificate"
        case .noPort:
            return "set a port from \(LoopbackEndpoint.lowestPort) up in the program, or use its device code sign-in"
        case .saml, .noRedirectURI, .redirectMalformed, .redirectElsewhere, .answerInFragment:
            return "use the program's device code sign-in, or sign in with a browser on its own machine"
        }
    }

    /// Whether the address at least began as a sign-in.
    public var isOfSignIn: Bool {
        switch self {
        case .tooLong, .malformed, .notHTTPS, .notAuthorizationRequest: false
        default: true
        }
    }
}
