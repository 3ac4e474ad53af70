public import SwitchyardCrypto
public import SwitchyardOAuth

/// An authorization response that is held until its release, and what proves the release. Stored sealed.
public struct HeldResponse: Sendable {
    /// The content of a held response, which is used at the release.
    public enum Content: Sendable {
        /// A code that the gateway redeems, and the callback's other parameters for the app.
        case code(Secret, CallbackParameters = .none)
        /// For the app, with completion `response`: the body that it will get.
        case answer([UInt8])
    }

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
        case .code(let code, .none): [0] + proof.bytes + code.exposedBytes
        case .answer(let body): [1] + proof.bytes + body
        case .code(let code, let parameters): [2] + proof.bytes + Self.packed(code, parameters)
        }
    }

    private static func packed(_ code: Secret, _ parameters: CallbackParameters) -> [UInt8] {
        var writer = PackedWriter(reserving: 512)
        writer.text(code.exposedText)
        writer.number(parameters.isCut ? 1 : 0)
        for field in parameters.values {
            writer.text(field.name)
            writer.text(field.value)
        }
        return writer.result
    }

    private static func code(packed: [UInt8]) -> Content? {
        var reader = PackedReader(packed)
        do throws(PackedRecordError) {
            let code = Secret(try reader.text())
            let isCut = try reader.number() == 1
            var values: [FormField] = []
            while !reader.isAtEnd { values.append(FormField(try reader.text(), try reader.text())) }
            return .code(code, CallbackParameters(values: values, isCut: isCut))
        } catch {
            return nil
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
        case 2:
            guard let code = Self.code(packed: rest) else { return nil }
            content = code
        default: return nil
        }
    }
}
