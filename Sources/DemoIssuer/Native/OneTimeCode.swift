internal import SwitchyardCrypto

/// A code that is sent to somebody: decimal digits.
enum OneTimeCode {
    static let length: Int64 = 8

    static func make() -> String {
        // Not quite evenly spread, which does not matter in a demo.
        Random.bytes(Int(length)).map { String($0 % 10) }.joined()
    }

    /// In a time that does not tell how much was right.
    static func isEqual(_ right: String, _ text: String) -> Bool {
        constantTimeEqual(Array(right.utf8), Array(text.utf8))
    }
}
