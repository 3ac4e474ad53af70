import SwitchyardCrypto
import SwitchyardJSON

@testable import SwitchyardJOSE

/// The keys that an issuer publishes, and a token that claims to be signed with one of them.
enum KeySetTarget {
    /// The keys, and behind the first line end a token.
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let document = parts.first, let json = (try? JSONValue.parse(Array(document)))?.object,
            let set = KeySet(json)
        else { return }
        for key in set.keys {
            let jwk = key.key.numbers.jwk
            try require(jwk["d"] == nil && jwk.members.count <= 4, "only the public part is kept")
            try require(PublicNumbers(jwk: jwk) == key.key.numbers, "a key that is written back is the same")
        }
        let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : sample
        guard let token = try? UnverifiedJWT.parse(text) else { return }
        switch set.verify(token) {
        case .success(let verified):
            try require(verified.token.compact == text, "the verified token is the one that came")
            try require(SigningAlgorithm(rawValue: token.algorithm) != nil, "the algorithm is allowed")
            try require(!isVerified(changed(text), set), "a changed token is refused")
            try require(!isVerified(text, KeySet(none)), "without keys no token is verified")
        case .failure: break
        }
    }

    private static let none: JSONObject = ["keys": []]

    /// Without a true signature, with each kind of key in mind.
    private static let sample = "eyJhbGciOiJFZERTQSJ9.e30.\(String(repeating: "A", count: 86))"

    private static func isVerified(_ text: String, _ set: KeySet?) -> Bool {
        guard let token = try? UnverifiedJWT.parse(text), let set else { return false }
        if case .success = set.verify(token) { return true }
        return false
    }

    /// With another claim in front.
    private static func changed(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return "\(parts[0]).\(Base64URL.encode(Array(#"{"x":1}"#.utf8))).\(parts[2])"
    }
}
