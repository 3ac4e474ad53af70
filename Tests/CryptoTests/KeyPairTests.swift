import SwitchyardCOpenSSL
import SwitchyardCrypto
import Testing

@Suite("Key pairs") struct KeyPairTests {
    @Test("a pair in PEM comes back", arguments: [KeyKind.ec(.p256), .ec(.p384), .ec(.p521), .ed25519, .rsa])
    func pem(kind: KeyKind) throws {
        let pair = try #require(KeyPair(generating: kind))
        #expect(KeyPair(pem: try #require(pair.pem))?.publicKey == pair.publicKey)
    }

    @Test("a private half with the public half of another key is no pair", arguments: [Curve.p256, .p384])
    func halves(curve: Curve) throws {
        let pair = try #require(KeyPair(generating: .ec(curve)))
        let other = try #require(KeyPair(generating: .ec(curve)))
        #expect(KeyPair(pem: try replacing(point(pair), by: point(other), in: pair)) == nil)
        // The same change without another value leaves the pair whole.
        #expect(KeyPair(pem: try replacing(point(pair), by: point(pair), in: pair)) != nil)
    }

    @Test("an RSA key with an exponent that is not its own is no pair")
    func exponent() throws {
        let pair = try #require(KeyPair(generating: .rsa))
        #expect(KeyPair(pem: try replacing([2, 3, 1, 0, 1], by: [2, 3, 1, 0, 3], in: pair)) == nil)
    }

    @Test("a failure leaves no error in the thread's queue")
    func errors() throws {
        let pair = try #require(KeyPair(generating: .ec(.p256)))
        #expect(AsymmetricPublicKey(.ed25519([1, 2])) == nil)
        #expect(KeyPair(ed25519: Secret([1, 2, 3])) == nil)
        #expect(
            AsymmetricPublicKey(.ec(.p256, x: [UInt8](repeating: 1, count: 32), y: [UInt8](repeating: 1, count: 32)))
                == nil)
        #expect(KeyPair(generating: .rsa, rsaBits: 16) == nil)
        #expect(pair.decryptOAEP([1]) == nil)
        let key = Secret([UInt8](repeating: 1, count: AESGCM.keyLength))
        let nonce = [UInt8](repeating: 2, count: AESGCM.nonceLength)
        var box = try #require(AESGCM.seal([1, 2, 3], key: key, nonce: nonce, associated: []))
        box[0] ^= 1
        #expect(AESGCM.open(box, key: key, nonce: nonce, associated: []) == nil)
        #expect(AESKeyWrap.unwrap([UInt8](repeating: 0, count: 40), with: key) == nil)
        #expect(ERR_peek_error() == 0)
    }

    private func point(_ pair: KeyPair) throws -> [UInt8] {
        guard case .ec(_, let x, let y) = pair.publicKey.numbers else { throw Absent() }
        return [4] + x + y
    }

    /// The pair's PEM with other bytes in its DER.
    private func replacing(_ old: [UInt8], by new: [UInt8], in pair: KeyPair) throws -> Secret {
        let text = try #require(pair.pem).exposedText
        let lines = text.split(separator: "\n")
        var der = try #require(Base64.decode(Array(lines.dropFirst().dropLast().joined().utf8)))
        let place = try #require(der.indices.first { der[$0...].starts(with: old) })
        der.replaceSubrange(place..<place + old.count, with: new)
        return Secret("-----BEGIN PRIVATE KEY-----\n\(Base64.encode(der))\n-----END PRIVATE KEY-----\n")
    }

    private struct Absent: Error {}
}
