internal import SwitchyardCrypto
internal import SwitchyardText

/// A GUID in lower case, as Microsoft's issuers name tenants and the people in them.
struct TenantID: Sendable, Hashable {
    let text: String

    /// Where everybody here is at home.
    static let standard = TenantID(unchecked: "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60")

    /// Where all personal Microsoft accounts are at home, at Microsoft's too.
    static let consumers = TenantID(unchecked: "9188040d-6c67-4c5b-b112-36a304b66dad")

    /// nil when the text is no GUID; upper case is taken too.
    init?(_ text: String) {
        guard let id = GUID(text) else { return nil }
        self.text = id.text
    }

    /// The same for the same text each time.
    init(derivedFrom text: String) {
        let digits = SHA256Digest(of: text).bytes.prefix(16).flatMap { byte in
            [Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 15)]]
        }
        let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        self.text = cuts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }

    private init(unchecked text: String) {
        self.text = text
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
