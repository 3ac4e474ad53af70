internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import Synchronization

/// The last nonce for proofs of possession of each server of an issuer (RFC 9449 section 8). Safe from any thread.
///
/// A nonce goes back to the server that gave it and to no other one: to another it would be wrong, and tell of the first.
final class ServerNonces: Sendable {
    /// One server, in one of its roles: an issuer may give other nonces at its userinfo endpoint, which is a resource.
    struct Server: Hashable, Sendable {
        let origin: String
        let isResource: Bool

        init(_ endpoint: EndpointURL, isResource: Bool = false) {
            origin = endpoint.origin
            self.isResource = isResource
        }
    }

    private let nonces = Mutex<[Server: ProofNonce]>([:])
    /// The endpoints of one issuer are fewer.
    private static let maximumServers = 16

    subscript(server: Server) -> ProofNonce? { nonces.withLock { $0[server] } }

    func remember(_ nonce: ProofNonce, of server: Server) {
        nonces.withLock { nonces in
            if nonces[server] == nil, nonces.count >= Self.maximumServers { return }
            nonces[server] = nonce
        }
    }
}

extension IncomingResponse {
    /// The nonce for the next proof; nil without a usable one.
    var proofNonce: ProofNonce? { header("DPoP-Nonce").flatMap { ProofNonce($0) } }
}
