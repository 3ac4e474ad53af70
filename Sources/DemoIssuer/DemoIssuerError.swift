/// Why a demo issuer cannot be made or cannot sign. The description is a sentence for people.
public enum DemoIssuerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address is not 127.0.0.0/8 or ::1.
    case notLoopback(address: String)
    /// The issuer's name is no http or https URL.
    case invalidIssuer(String)
    /// Two clients have this client ID.
    case repeatedClient(id: String)
    /// libcjose could not make the key or the signature; the reason is its own.
    case signing(reason: String)

    public var description: String {
        switch self {
        case .notLoopback(let address):
            "the demo issuer signs anybody in, so it runs on loopback only (127.0.0.0/8 or ::1), not on \"\(address)\""
        case .invalidIssuer(let issuer): "\"\(issuer)\" is no issuer: give an http or https URL without a query"
        case .repeatedClient(let id): "client \"\(id)\" is given twice"
        case .signing(let reason): "the ID token cannot be signed: \(reason)"
        }
    }
}
