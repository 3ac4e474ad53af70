internal import SwitchyardRouting

/// Reads the `trusted_proxies:` list: networks, and `uid:` with the name or number of a user on a Unix socket.
enum TrustedProxiesSection {
    static func decode(_ node: YAMLNode, in context: DecodingContext) -> TrustedProxies {
        var networks: [Network] = []
        var uids: [UInt32] = []
        _ = context.list(node) { element in
            if case .scalar(let text, _) = element.content, text.hasPrefix(userPrefix) {
                context.user(element, after: userPrefix).map { uids.append($0) }
            } else {
                context.network(element, remedy).map { networks.append($0) }
            }
        }
        return TrustedProxies(networks: networks, uids: uids)
    }

    private static let userPrefix = "uid:"
    private static let remedy =
        "write an address or a block such as 10.0.0.0/8 or 2001:db8::/32, no bits behind its length, or a user on a Unix "
        + "socket such as uid:www-data"
}
