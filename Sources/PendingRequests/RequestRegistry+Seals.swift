internal import SwitchyardCrypto

/// Values that go out to a browser and come back. Only gateways with the same keys can make and read them.
extension RequestRegistry {
    /// A value that proves to this gateway, and to others with its keys, that it made it for this request and purpose.
    public func makeMark(_ purpose: String, for id: RequestID) -> String {
        Base64URL.encode(policy.keys.seal([], context: "\(purpose) \(id)"))
    }

    /// Whether ``makeMark(_:for:)`` made the value.
    public func isMark(_ text: some StringProtocol, _ purpose: String, for id: RequestID) -> Bool {
        guard text.utf8.count <= 256, let sealed = Base64URL.decode(Array(text.utf8)) else { return false }
        return (try? policy.keys.open(sealed, context: "\(purpose) \(id)")) != nil
    }

    /// Seals a text that goes out and comes back, for one request and purpose.
    public func seal(_ text: String, _ purpose: String, for id: RequestID) -> String {
        Base64URL.encode(policy.keys.seal(Array(text.utf8), context: "\(purpose) \(id)"))
    }

    /// The text that ``seal(_:_:for:)`` sealed for this request and purpose; nil for anything else.
    public func open(_ sealed: some StringProtocol, _ purpose: String, for id: RequestID) -> String? {
        guard sealed.utf8.count <= 8192, let bytes = Base64URL.decode(Array(sealed.utf8)),
            let text = try? policy.keys.open(bytes, context: "\(purpose) \(id)")
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
