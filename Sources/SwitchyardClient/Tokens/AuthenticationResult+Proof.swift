internal import SwitchyardJOSE
internal import SwitchyardText

extension AuthenticationResult {
    /// Whether the API takes the token only with a proof of possession (``proof(method:url:nonce:)``).
    public var isBound: Bool { bindingKey != nil }

    /// The value of the `DPoP` header for one request with the token (RFC 9449). Each request needs a proof of its own.
    /// - Parameters:
    ///   - method: such as `GET`.
    ///   - url: the request's; its query does not count.
    ///   - nonce: the last `DPoP-Nonce` of that API; nil without one.
    /// - Returns: nil for a token that is not bound to a key.
    public func proof(method: String, url: String, nonce: String? = nil) -> String? {
        bindingKey.flatMap { PrivateKey(exported: $0) }?.makeProof(
            method: method, url: String(url.prefix { $0 != "?" && $0 != "#" }), now: WallTime.now().seconds,
            token: accessToken, nonce: nonce)
    }
}
