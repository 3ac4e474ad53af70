import SwitchyardRouting

@testable import SwitchyardGateway

/// A client's `Forwarded`, in front of the trusted proxy's own element.
enum ForwardedTarget {
    private static let client = IPAddress("198.51.100.7")
    /// The ways in which proxies write their part.
    private static let parts = [
        "for=198.51.100.7", "for=\"198.51.100.7:4711\";proto=https",
        "by=\"[2001:db8::1]\";for=198.51.100.7;host=\"a, b\"",
    ]

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let written = String(decoding: bytes, as: UTF8.self)
        let alone = ForwardedField.addresses(written)
        for part in parts {
            let all = ForwardedField.addresses(written + ", " + part)
            try require(all.last == client || all == [nil], "what a proxy adds stands at the end, or nothing counts")
            guard all.last == client else { continue }
            try require(Array(all.dropLast()) == alone, "what a proxy adds changes nothing in front of it")
        }
    }
}
