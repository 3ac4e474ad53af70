internal import SwitchyardCrypto
public import SwitchyardPendingRequests
public import SwitchyardRouting

// swift-format-ignore: AvoidRetroactiveConformances
extension AppID: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// The id of an app in a test.
    public init(stringLiteral text: String) {
        guard let id = AppID(text) else { preconditionFailure("\"\(text)\" is no app's id") }
        self = id
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Reference: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// The reference that is written so. Any other text stands for a reference of its own, the same each time.
    public init(stringLiteral text: String) {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let digest = SHA256Digest(of: text).bytes.prefix(10)
        self = Reference(text) ?? Reference(String(digest.map { alphabet[Int($0 & 31)] })) ?? Reference()
    }
}
