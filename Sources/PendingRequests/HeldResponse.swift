public import SwitchyardCrypto

/// An authorization response that is held until its release, and what proves the release. Stored sealed.
public struct HeldResponse: Sendable {
    /// What goes on its way at the release.
    public enum Content: Sendable {
        /// For the gateway to redeem.
        case code(Secret)
        /// For the app, with completion `response`: the body that it will get.
        case answer([UInt8])
    }

    /// What is held.
    public let content: Content
    /// A digest of the one proof that releases it.
    public let proof: SHA256Digest

    /// - Parameter proof: a digest of the one proof that releases it; the proof itself is kept nowhere.
    public init(_ content: Content, proof: SHA256Digest) {
        self.content = content
        self.proof = proof
    }

    var packed: [UInt8] {
        switch content {
        case .code(let code): [0] + proof.bytes + code.exposedBytes
        case .answer(let body): [1] + proof.bytes + body
        }
    }

    init?(packed: [UInt8]) {
        guard let kind = packed.first, let proof = SHA256Digest(bytes: Array(packed.dropFirst().prefix(32))) else {
            return nil
        }
        self.proof = proof
        let rest = Array(packed.dropFirst(33))
        switch kind {
        case 0: content = .code(Secret(rest))
        case 1: content = .answer(rest)
        default: return nil
        }
    }
}
