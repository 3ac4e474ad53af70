import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("Signatures that RFCs publish or another library made") struct SignatureVectorTests {
    private func parts(_ vector: Vector) -> [String] {
        vector.text("compact").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private func key(_ vector: Vector) throws -> AsymmetricPublicKey {
        try #require(PublicNumbers(jwk: vector.object("key")).flatMap(AsymmetricPublicKey.init))
    }

    private func algorithm(_ vector: Vector) throws -> SigningAlgorithm {
        try #require(SigningAlgorithm(rawValue: vector.text("algorithm")))
    }

    private func set(_ key: JSONObject) throws -> KeySet { try #require(KeySet(["keys": [.object(key)]])) }

    private func isSigned(_ compact: String, _ vector: Vector) throws -> Bool {
        guard let jws = try? CompactJWS(compact) else { return false }
        return jws.isSigned(by: try key(vector), try algorithm(vector))
    }

    @Test("the file has an example of each algorithm")
    func complete() {
        let algorithms = Set(Vector.signatures.map { $0.text("algorithm") })
        #expect(algorithms == Set(SigningAlgorithm.allCases.map(\.rawValue)))
        #expect(Vector.codes.count == 2)
    }

    @Test("a signature is accepted for its key, and found in a set of keys", arguments: Vector.signatures)
    func accepted(vector: Vector) throws {
        #expect(try isSigned(vector.text("compact"), vector))
        let jws = try CompactJWS(vector.text("compact"))
        let verdict = try set(vector.object("key")).verify(jws, algorithm(vector), keyID: jws.header["kid"]?.string)
        #expect(throws: Never.self) { try verdict.get() }
    }

    @Test(
        "a changed, shorter or longer signature is refused, and so is a changed payload", arguments: Vector.signatures)
    func changed(vector: Vector) throws {
        let parts = parts(vector)
        let signature = try #require(Base64URL.decode(parts[2]))
        func with(_ signature: [UInt8]) -> String { "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))" }
        for place in [0, signature.count / 2 - 1, signature.count / 2, signature.count - 1] {
            var other = signature
            other[place] ^= 1
            #expect(try !isSigned(with(other), vector), "byte \(place)")
        }
        let (count, half) = (signature.count, signature.count / 2)
        var others: [[UInt8]] = [[], [0], signature.dropLast(), Array(signature.dropFirst()), [0] + signature]
        others += [signature + [0], signature + signature, signature.reversed()]
        others += [[UInt8](repeating: 0, count: count), [UInt8](repeating: 0xFF, count: count)]
        others.append([0] + signature[..<half] + [0] + signature[half...])
        others.append(Array(signature[half...]) + signature[..<half])
        for other in others { #expect(try !isSigned(with(other), vector), "\(other.count) bytes") }
        #expect(try !isSigned("\(parts[0]).\(Base64URL.encode(Array("other".utf8))).\(parts[2])", vector))
        for end in ["=", "==", "A", " ", "\n", "+", "."] {
            #expect(try !isSigned(vector.text("compact") + end, vector))
        }
    }

    @Test("ECDSA's form in certificates (DER) is refused")
    func der() throws {
        for vector in Vector.signatures where vector.text("algorithm").hasPrefix("ES") {
            let parts = parts(vector)
            let raw = try #require(Base64URL.decode(parts[2]))
            let size = raw.count / 2
            func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
                let short = Array(bytes.drop { $0 == 0 })
                let value = (short.first ?? 0) >= 0x80 ? [0] + short : short
                return [2, UInt8(value.count)] + value
            }
            let body = integer(raw[..<size]) + integer(raw[size...])
            let der = (body.count < 0x80 ? [0x30, UInt8(body.count)] : [0x30, 0x81, UInt8(body.count)]) + body
            #expect(try !isSigned("\(parts[0]).\(parts[1]).\(Base64URL.encode(der))", vector))
        }
    }

    @Test("no other algorithm accepts it, with the header as it is or naming that one", arguments: Vector.signatures)
    func otherAlgorithm(vector: Vector) throws {
        let parts = parts(vector)
        let right = try algorithm(vector)
        for other in SigningAlgorithm.allCases where other.scheme != right.scheme || other.keyKind != right.keyKind {
            #expect(try !CompactJWS(vector.text("compact")).isSigned(by: key(vector), other))
            let header = Base64URL.encode(Array(#"{"alg":"\#(other.rawValue)"}"#.utf8))
            #expect(try !CompactJWS("\(header).\(parts[1]).\(parts[2])").isSigned(by: key(vector), other))
        }
        if let token = try? UnverifiedJWT.parse(vector.text("compact")) {
            let secret = Secret(JSONValue.object(vector.object("key")).serialized)
            #expect(SecretSignature.verify(token, by: secret).failure == .algorithmNotAllowed)
        }
    }

    @Test("a signature with another padding, salt, mask or hash is refused", arguments: Vector.refusedSignatures)
    func otherScheme(vector: Vector) throws {
        #expect(try !isSigned(vector.text("compact"), vector))
    }

    /// Signs a header as it stands, so that it can name another algorithm than the one that signs.
    private func signed(_ header: JSONObject, _ pair: KeyPair, _ scheme: SignatureScheme) throws -> CompactJWS {
        let text = "\(Base64URL.encode(JSONValue.object(header).serialized)).e30"
        let signature = try #require(pair.sign(Array(text.utf8), scheme))
        return try CompactJWS("\(text).\(Base64URL.encode(signature))")
    }

    @Test("a header that names another algorithm than the signature has is refused")
    func otherHeader() throws {
        for algorithm in SigningAlgorithm.allCases {
            let pair = try #require(KeyPair(generating: algorithm.keyKind))
            for other: JSONValue in ["none", "HS256", "", "Ed448", .null, [.string(algorithm.rawValue)]] {
                let jws = try signed(["alg": other], pair, algorithm.scheme)
                #expect(!jws.isSigned(by: pair.publicKey, algorithm), "\(other)")
            }
            let without = try signed([:], pair, algorithm.scheme)
            #expect(!without.isSigned(by: pair.publicKey, algorithm))
        }
    }

    @Test("an algorithm takes its own curve only, though its hash would do for another")
    func otherCurve() throws {
        for (curve, algorithm) in [(Curve.p384, SigningAlgorithm.es256), (.p521, .es384), (.p256, .es512)] {
            let pair = try #require(KeyPair(generating: .ec(curve)))
            let jws = try signed(["alg": .string(algorithm.rawValue)], pair, algorithm.scheme)
            #expect(!jws.isSigned(by: pair.publicKey, algorithm))
            #expect(CompactJWS.sign([], header: [:], with: pair, algorithm) == nil)
        }
    }

    @Test("an RSA signature without its zero in front is refused")
    func shortRSA() throws {
        let vector = try #require(Vector.signatures.first { $0.text("source") == "joserfc, a zero in front" })
        let parts = parts(vector)
        let signature = try #require(Base64URL.decode(parts[2]))
        try #require(signature[0] == 0)
        #expect(try !isSigned("\(parts[0]).\(parts[1]).\(Base64URL.encode(Array(signature.dropFirst())))", vector))
    }

    @Test("a header that names an extension that must be understood (crit) is refused")
    func critical() throws {
        let pair = try #require(KeyPair(generating: .ec(.p256)))
        let plain = try #require(CompactJWS.sign([1], header: [:], with: pair, .es256))
        #expect(try CompactJWS(plain).isSigned(by: pair.publicKey, .es256))
        for value: JSONValue in [["exp"], ["b64"], [], .null] {
            let compact = try #require(CompactJWS.sign([1], header: ["crit": value], with: pair, .es256))
            #expect(try !CompactJWS(compact).isSigned(by: pair.publicKey, .es256))
        }
    }

    @Test("a MAC is accepted for its secret only, and never by a set of keys", arguments: Vector.codes)
    func codes(vector: Vector) throws {
        let secret = try #require(Base64URL.decode(vector.object("key")["k"]?.string ?? ""))
        let jws = try CompactJWS(vector.text("compact"))
        #expect(jws.isAuthenticated(by: Secret(secret)))
        #expect(!jws.isAuthenticated(by: Secret(secret.reversed())))
        guard let token = try? UnverifiedJWT.parse(vector.text("compact")) else { return }
        func verdict(_ token: UnverifiedJWT, _ secret: [UInt8]) -> SignatureError? {
            SecretSignature.verify(token, by: Secret(secret)).failure
        }
        #expect(verdict(token, secret) == nil)
        #expect(verdict(token, Array(secret.prefix(31))) == .noKey)
        #expect(verdict(token, Array(secret.prefix(32))) == .wrongSignature)
        #expect(try set(vector.object("key")).verify(token).failure == .algorithmNotAllowed)
        let parts = parts(vector)
        for other in ["none", "HS384", "HS512", "hs256", "RS256"] {
            let header = Base64URL.encode(Array(#"{"alg":"\#(other)"}"#.utf8))
            let changed = try UnverifiedJWT.parse("\(header).\(parts[1]).\(parts[2])")
            #expect(verdict(changed, secret) == .algorithmNotAllowed, "\(other)")
        }
        let code = try #require(Base64URL.decode(parts[2]))
        for other in [Array(code.dropLast()), Array(code.prefix(16)), code + [0], [code[0] ^ 1] + code.dropFirst()] {
            let changed = try UnverifiedJWT.parse("\(parts[0]).\(parts[1]).\(Base64URL.encode(other))")
            #expect(verdict(changed, secret) == .wrongSignature)
        }
    }

    @Test("a JWS without a signature, and one with crit, are no JWTs", arguments: Vector.refused)
    func refused(vector: Vector) {
        #expect(throws: JWTError.self) { try UnverifiedJWT.parse(vector.text("compact")) }
    }

    @Test("the signature of RFC 8037 appendix A.4 is the one that its private key makes here")
    func ed25519() throws {
        let seed = try #require(Base64URL.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"))
        let pair = try #require(KeyPair(ed25519: Secret(seed)))
        let vector = try #require(Vector.signatures.first { $0.text("source") == "RFC 8037 A.4" })
        let payload = Array("Example of Ed25519 signing".utf8)
        #expect(CompactJWS.sign(payload, header: [:], with: pair, .edDSA) == vector.text("compact"))
        #expect(KeyPair(ed25519: Secret(Array(seed.dropLast()))) == nil)
    }

    @Test("each algorithm signs with a fresh key, and only with its own kind", arguments: SigningAlgorithm.allCases)
    func signs(algorithm: SigningAlgorithm) throws {
        let pair = try #require(KeyPair(generating: algorithm.keyKind))
        // Enough for ES256 that halves with zeros in front come up.
        for number in 0..<(algorithm == .es256 ? 300 : 3) {
            let compact = try #require(CompactJWS.sign(Array("\(number)".utf8), header: [:], with: pair, algorithm))
            #expect(try CompactJWS(compact).isSigned(by: pair.publicKey, algorithm))
        }
        for other in SigningAlgorithm.allCases where other.keyKind != algorithm.keyKind {
            #expect(CompactJWS.sign([], header: [:], with: pair, other) == nil)
        }
    }

    @Test("several threads verify and sign with one key at the same time")
    func shared() async throws {
        for algorithm in [SigningAlgorithm.rs256, .ps256, .es256, .edDSA] {
            let pair = try #require(KeyPair(generating: algorithm.keyKind))
            let set = try set(pair.publicKey.numbers.jwk)
            let results = await withTaskGroup(of: Bool.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        (0..<25).allSatisfy { number in
                            let payload = JSONValue.object(["n": .integer(Int64(task * 25 + number))]).serialized
                            guard let compact = CompactJWS.sign(payload, header: [:], with: pair, algorithm),
                                let token = try? UnverifiedJWT.parse(compact)
                            else { return false }
                            return set.verify(token).failure == nil
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count == 4 && results.allSatisfy { $0 })
        }
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
