import Glibc
import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

/// The examples of `vectors.json`: those of RFC 7515 to 7518, 7520 and 8037, and some that joserfc made, for algorithms
/// and leading zeros without an example in the RFCs. The wrong signatures are made by cryptography (of Python).
struct Vector: Sendable, CustomTestStringConvertible {
    let members: JSONObject

    var testDescription: String { text("source") }

    /// A member that is text; "" for another.
    func text(_ name: String) -> String { members[name]?.string ?? "" }

    func bytes(_ name: String) -> [UInt8] { Base64URL.decode(text(name)) ?? [] }

    func object(_ name: String) -> JSONObject { members[name]?.object ?? [:] }

    /// The key pair of a member that is a private JWK on a curve.
    func pair(_ name: String) -> KeyPair? {
        let jwk = object(name)
        guard case .ec(let curve, let x, let y) = PublicNumbers(jwk: jwk),
            let scalar = Base64URL.decode(jwk["d"]?.string ?? "")
        else { return nil }
        return KeyPair(curve, x: x, y: y, scalar: Secret(scalar))
    }

    static let signatures = all("signatures").filter { $0.text("algorithm") != SecretSignature.algorithm }
    static let codes = all("signatures").filter { $0.text("algorithm") == SecretSignature.algorithm }
    static let refused = all("refused")
    static let refusedSignatures = all("refusedSignatures")
    static let agreements = all("agreements")
    static let contents = all("contents")
    static let sealed = all("sealed")
    static let refusedSealed = all("refusedSealed")
    static let keySets = all("keySets")
    static let encrypted = all("encrypted")
    static let pairs = all("pairs")

    private static let file: JSONObject = {
        let path = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/vectors.json"
        guard let file = unsafe fopen(path, "rb") else { return [:] }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return (try? JSONValue.parse(Array(bytes[..<count])))?.object ?? [:]
    }()

    private static func all(_ name: String) -> [Vector] {
        (file[name]?.array ?? []).compactMap(\.object).map { Vector(members: $0) }
    }
}
