internal import SwitchyardCrypto
internal import SwitchyardJSON

/// A public key as a SubjectPublicKeyInfo in PEM (RFC 5280 section 4.1.2.7, RFC 7468 section 13): the input of an
/// attacker that signs with a public key as if it were a secret.
enum PublicKeyPEM {
    /// nil for a key that is neither RSA nor on P-256.
    static func text(of jwk: JSONValue) -> String? {
        guard let der = der(of: jwk) else { return nil }
        let base64 = Array(Base64.encode(der))
        let lines = stride(from: 0, to: base64.count, by: 64).map { String(base64[$0..<min($0 + 64, base64.count)]) }
        return "-----BEGIN PUBLIC KEY-----\n\(lines.joined(separator: "\n"))\n-----END PUBLIC KEY-----\n"
    }

    private static func der(of jwk: JSONValue) -> [UInt8]? {
        func number(_ name: String) -> [UInt8]? { (jwk.object?[name]?.string).flatMap { Base64URL.decode($0) } }
        if let modulus = number("n"), let exponent = number("e") {
            let key = element(sequence, integer(modulus) + integer(exponent))
            return element(sequence, element(sequence, rsaEncryption) + element(bitString, [0] + key))
        }
        if let x = number("x"), let y = number("y"), x.count == 32, y.count == 32 {
            // 4 marks a point that is not compressed (RFC 5480 section 2.2).
            return element(sequence, element(sequence, ecOnP256) + element(bitString, [0, 4] + x + y))
        }
        return nil
    }

    private static let sequence: UInt8 = 0x30
    private static let bitString: UInt8 = 0x03
    /// The object identifier 1.2.840.113549.1.1.1, and NULL.
    private static let rsaEncryption: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0]
    /// The object identifiers 1.2.840.10045.2.1 and 1.2.840.10045.3.1.7.
    private static let ecOnP256: [UInt8] = [
        6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7,
    ]

    private static func integer(_ bytes: [UInt8]) -> [UInt8] {
        // A leading zero keeps it from being negative.
        element(2, (bytes.first ?? 0) >= 0x80 ? [0] + bytes : bytes)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8 & 0xFF), UInt8(content.count & 0xFF)] + content
        }
    }
}
