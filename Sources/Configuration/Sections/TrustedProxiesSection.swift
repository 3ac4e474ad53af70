internal import Glibc
internal import SwitchyardReactor
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

extension DecodingContext {
    /// A list of users of this machine.
    func uids(_ node: YAMLNode) -> [UInt32]? {
        list(node) { element in
            let uid = value(element, "write a user ID as a number, such as 1000", Self.uid(number:))
            if let uid { warnOfStrangers(uid, at: element) }
            return uid
        }
    }

    /// Warns about user numbers that a user namespace does not map, or shares among all unmapped users.
    private func warnOfStrangers(_ uid: UInt32, at node: YAMLNode) {
        guard !LocalUsers.own.contains(uid) else { return }
        warning(
            at: node.mark, "in this user namespace no user is known to be \(uid), so it lets nobody in",
            "give the namespace a number for that user, or run the gateway outside of it (systemd: PrivateUsers=no)")
    }

    private static func uid(number text: String) -> UInt32? {
        // The kernel uses the highest number for "no user".
        UInt32(text).flatMap { String($0) == text && $0 != .max ? $0 : nil }
    }

    /// A user of this machine by number, or by a name that this machine knows.
    func user(_ node: YAMLNode, after prefix: String) -> UInt32? {
        let remedy =
            "write \(prefix) with the number of a user, or with the name of one who is known here (getent passwd)"
        guard let text = text(node, remedy)?.dropFirst(prefix.count) else { return nil }
        if let uid = Self.uid(number: String(text)) ?? Self.uid(ofUser: String(text)) {
            warnOfStrangers(uid, at: node)
            return uid
        }
        error(at: node.mark, "there is no user \"\(text)\" on this machine", remedy)
        return nil
    }

    /// A list of address blocks.
    func networks(_ node: YAMLNode) -> [Network]? {
        let remedy = "write an address or a block such as 10.0.0.0/8 or 2001:db8::/32, no bits behind its length"
        return list(node) { network($0, remedy) }
    }

    /// An address block; one of everybody is warned about.
    func network(_ node: YAMLNode, _ remedy: String) -> Network? {
        let network = value(node, remedy) { Network($0) }
        if let network, network.isEverybody {
            warning(at: node.mark, "everybody is in \(network)", "name the networks that are meant")
        }
        return network
    }

    /// The number of the user with this name; nil without one.
    private static func uid(ofUser name: String) -> UInt32? {
        guard !name.utf8.contains(0), let entry = unsafe getpwnam(name) else { return nil }
        return unsafe entry.pointee.pw_uid
    }
}
