public import SwitchyardOAuth

/// The address of a ``Handler/redirect(target:)`` in bytes.
public struct RedirectTarget: Sendable {
    /// The address, with `?` or `&` behind it: a registered address may have a query of its own.
    public let beforeQuery: [UInt8]

    public var withoutQuery: [UInt8] { Array(beforeQuery.dropLast()) }

    public init(_ address: RedirectURI) {
        let bytes = Array(address.text.utf8)
        beforeQuery = bytes + [bytes.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")]
    }
}
