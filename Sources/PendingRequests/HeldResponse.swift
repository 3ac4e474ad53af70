public import SwitchyardCrypto
internal import SwitchyardOAuth

/// An authorization response that is held until its release, and what proves the release. Stored sealed.
public struct HeldResponse: Sendable {
    public enum Content: Sendable {
        /// For the gateway to redeem.
        case code(Secret)
        /// For the app, in response mode: the body that it will get.
        case answer([UInt8])
    }

    public let content: Content
    /// A digest of the one proof that releases it.
    public let proof: SHA256Digest

    public init(_ content: Content, proof: SHA256Digest) {
        self.content = content
        self.proof = proof
    }

    var packed: [UInt8] {
        let proof = ("proof", Base64URL.encode(proof.bytes))
        switch content {
        case .code(let code): return FormEncoding.encode([proof, ("code", code.exposedText)])
        case .answer(let body): return FormEncoding.encode([proof, ("answer", Base64URL.encode(body))])
        }
    }

    init?(packed: [UInt8]) {
        guard let fields = try? FormEncoding.decode(packed), fields.count == 2, fields[0].name == "proof",
            let digest = Base64URL.decode(fields[0].value).flatMap({ SHA256Digest(bytes: $0) })
        else { return nil }
        proof = digest
        switch fields[1].name {
        case "code": content = .code(Secret(fields[1].value))
        case "answer":
            guard let body = Base64URL.decode(fields[1].value) else { return nil }
            content = .answer(body)
        default: return nil
        }
    }
}
