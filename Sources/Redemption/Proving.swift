public import SwitchyardCrypto
internal import SwitchyardHTTPClient
public import SwitchyardJOSE
internal import SwitchyardOAuth

/// How a request to an issuer proves the key that its tokens are bound to (RFC 9449).
public enum TokenBinding: Sendable {
    /// A key of ours: each try has a proof of its own.
    case key(PrivateKey)
    /// A proof that the app has made, for one request. It is sent once.
    case proof(Secret)

    /// nil where the app has it.
    var key: PrivateKey? { if case .key(let key) = self { key } else { nil } }
}

/// The proofs of one call, which may take more than one request.
struct Proving: Sendable {
    let binding: TokenBinding
    let nonces: ServerNonces
    let server: ServerNonces.Server
    /// The access token in the request; nil without one.
    var token: Secret?

    /// nil for a request that proves nothing.
    init?(
        _ binding: TokenBinding?, at endpoint: EndpointURL, of issuer: Issuer, with token: Secret? = nil
    ) {
        guard let binding else { return nil }
        self.binding = binding
        nonces = issuer.nonces
        server = ServerNonces.Server(endpoint, isResource: token != nil)
        self.token = token
    }

    /// Whether a request that was refused may be made anew, with a proof of its own.
    var isRepeatable: Bool { if case .key = binding { true } else { false } }

    /// The value of the field `DPoP` for a request.
    func proof(for request: OutgoingRequest, now: Int64) throws(SignInFailure) -> String {
        switch binding {
        case .proof(let given): return given.exposedText
        case .key(let key):
            let url = String(request.url.prefix { $0 != "?" && $0 != "#" })
            let proof = key.makeProof(
                method: request.method.rawValue, url: url, now: now, token: token?.exposedText,
                nonce: nonces[server]?.text)
            guard let proof else { throw SignInFailure(.internal, description: "no proof of possession can be made") }
            return proof
        }
    }
}

extension SignInFailure {
    /// Whether the server wants another nonce in the proof (RFC 9449 sections 8 and 9).
    func wantsProofNonce(_ answer: IncomingResponse) -> Bool {
        guard (400...401).contains(answer.status), answer.proofNonce != nil else { return false }
        if oauthError?.text == "use_dpop_nonce" { return true }
        let header = answer.header("WWW-Authenticate").flatMap { AuthenticateHeader($0) }
        return header?.challenges.contains {
            $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce"
        } ?? false
    }
}
