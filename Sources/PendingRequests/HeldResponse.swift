public import SwitchyardCrypto
public import SwitchyardOAuth

/// An authorization response that is held until its release, and the digest of the proof. Stored sealed.
public struct HeldResponse: Sendable {
    /// The content of a held response, which is used at the release.
    public enum Content: Sendable {
        /// A code that the gateway redeems, and the callback's other parameters for the app.
        /// - Parameter arrival: when the callback came, in seconds since 1970; nil where an older version held it.
        case code(Secret, CallbackParameters = .none, arrival: Int64? = nil)
        /// For the app, with completion `response`: the body that it will get.
        case answer([UInt8])
    }

    public let content: Content
    /// The digest of the one proof that releases it. No gateway stores the proof itself.
    public let proof: SHA256Digest

    public init(_ content: Content, proof: SHA256Digest) {
        self.content = content
        self.proof = proof
    }

    var packed: [UInt8] {
        switch content {
        case .answer(let body): [1] + proof.bytes + body
        case .code(let code, let parameters, let arrival): [3] + proof.bytes + Self.packed(code, parameters, arrival)
        }
    }

    private static func packed(_ code: Secret, _ parameters: CallbackParameters, _ arrival: Int64?) -> [UInt8] {
        var writer = PackedWriter(reserving: 512)
        writer.number(UInt64(max(0, arrival ?? 0)))
        writer.text(code.exposedText)
        writer.number(parameters.isCut ? 1 : 0)
        for field in parameters.values {
            writer.text(field.name)
            writer.text(field.value)
        }
        return writer.result
    }

    private static func code(packed: [UInt8], hasArrival: Bool) -> Content? {
        var reader = PackedReader(packed)
        do throws(PackedRecordError) {
            let arrival = hasArrival ? Int64(exactly: try reader.number()) : nil
            let code = Secret(try reader.text())
            let isCut = try reader.number() == 1
            var values: [FormField] = []
            while !reader.isAtEnd { values.append(FormField(try reader.text(), try reader.text())) }
            return .code(code, CallbackParameters(values: values, isCut: isCut), arrival: arrival == 0 ? nil : arrival)
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
        // Kinds 0 and 2 are an earlier version's.
        case 0: content = .code(Secret(rest), arrival: nil)
        case 1: content = .answer(rest)
        case 2, 3:
            guard let code = Self.code(packed: rest, hasArrival: kind == 3) else { return nil }
            content = code
        default: return nil
        }
    }
}
