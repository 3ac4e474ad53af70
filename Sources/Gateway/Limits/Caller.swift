internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// The key of callers that count as one: an IPv4 address, a /64 of IPv6, a user of this machine, or at an agent one
/// program of its user.
enum CallerKey: Hashable, Sendable {
    case address(IPAddress)
    case user(UInt32)
    case program(ProgramKey, of: UInt32)

    var shard: Int {
        switch self {
        case .address(let address): address.shard
        case .user(let uid): Int(uid & 0xFFFF)
        case .program(let program, _): program.text.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        }
    }

    /// The key's network, which is likely one customer: providers give a /24, or a /48 of IPv6, to one customer as a
    /// whole.
    var network: CallerKey {
        switch self {
        case .address(let address): .address(address.network)
        case .user: self
        case .program(_, let uid): .user(uid)
        }
    }

    /// The name in records of requests.
    var text: String {
        switch self {
        case .address(let address): "\(address)"
        case .user(let uid): "uid \(uid)"
        case .program(let program, let uid): "uid \(uid) \(program.text)"
        }
    }
}

/// The caller of a request, as far as it can be known (rules: forwarded headers from trusted proxies).
struct Caller: Sendable {
    /// The visible source of a request.
    private enum Source {
        case address(IPAddress)
        case user(UInt32)
        /// The kernel does not say. All such peers count as one unidentified user.
        case unknown

        init(_ peer: Peer) {
            switch peer {
            case .local(let uid): self = uid.map { .user($0) } ?? .unknown
            case .ip(let bytes, _): self = IPAddress(bytes: bytes).map { .address($0) } ?? .unknown
            }
        }
    }

    /// The party for which the peer speaks.
    private enum Standing {
        /// The peer itself. Forwarding headers that it sends over a network do not count.
        case itself
        /// A client that a trusted proxy names by its address.
        case client
        /// An unidentified client: a trusted proxy does not name it, or a user of this machine asks for others.
        case nobody
    }

    private let source: Source
    private let standing: Standing
    /// Whether the peer is a trusted proxy, so that what it shows of itself is not the caller's.
    let isProxied: Bool
    /// The program of the user, at that user's agent; nil elsewhere.
    private var program: ProgramKey?

    /// The caller behind a request. Forwarding headers count only when the peer itself is a trusted proxy: then it is
    /// the last address that no trusted proxy vouches for.
    init(_ request: borrowing Request, trusting proxies: TrustedProxies) {
        let peer = Source(request.connection.peer)
        isProxied =
            switch peer {
            case .address(let address): proxies.contains(address)
            case .user(let uid): proxies.contains(uid: uid)
            case .unknown: false
            }
        if isProxied {
            let named = Self.forwardedAddress(request, proxies)
            source = named.map { .address($0) } ?? peer
            standing =
                switch named {
                // A proxy's address identifies no client: the next proxy would have named one.
                case let named? where proxies.contains(named): .nobody
                case let named? where named.isLocalhost && !proxies.canVouchForLocalhost: .nobody
                case .some: .client
                case nil: .nobody
                }
            return
        }
        source = peer
        standing =
            switch peer {
            case .address: .itself
            // A proxy's user never vouches for the clients behind it, and only a proxy has such a header to send.
            case .user: Self.isForwarded(request) ? .nobody : .itself
            case .unknown: .nobody
            }
    }

    /// The key under which the limits count a request.
    var key: CallerKey {
        switch source {
        case .address(let address): .address(address.limitKey)
        case .user(let uid): program.map { .program($0, of: uid) } ?? .user(uid)
        case .unknown: .user(.max)
        }
    }

    /// The same caller with a share of its own among the programs of its user.
    func counted(as program: ProgramKey) -> Caller {
        var caller = self
        caller.program = program
        return caller
    }

    /// The peer of a connection on which no request could be read, so that no header says more.
    init(_ peer: Peer) {
        source = Source(peer)
        standing = .nobody
        isProxied = false
    }

    /// For a log, and for a message to the caller: an address, or a user id.
    var text: String {
        switch source {
        case .address(let address): "\(address)"
        case .user(let uid): "uid:\(uid)"
        case .unknown: "uid:\(UInt32.max)"
        }
    }

    /// The address to look up in lists of networks, and to name on a page; nil on a Unix socket, and for a proxy that
    /// does not identify its client.
    var address: IPAddress? {
        guard case .address(let address) = source, standing != .nobody else { return nil }
        return address
    }

    /// The user that lists of users may be asked about; nil unless the caller is the one at the other
    /// end of a Unix socket.
    var uid: UInt32? {
        guard case .user(let uid) = source, standing == .itself else { return nil }
        return uid
    }

    /// Whether the peer asks for an unidentified client.
    var isNobody: Bool { standing == .nobody }

    /// Whether this is the caller's real place. False if a header of the request contradicts it without a trusted
    /// proxy, and for a proxy that does not name its client.
    func isKnown(by request: Request) -> Bool {
        switch standing {
        case .itself: !Self.isForwarded(request)
        case .client: true
        case .nobody: false
        }
    }

    // MARK: Headers

    /// The fields in which proxies name their clients.
    private static let forwardingFields: [StaticString] = [
        "x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host", "x-forwarded-proto", "x-client-ip",
        "true-client-ip", "cf-connecting-ip", "x-cluster-client-ip", "via",
        // Content delivery networks and clouds, which may send one of these alone.
        "fastly-client-ip", "fly-client-ip", "x-azure-clientip", "x-azure-socketip", "cf-connecting-ipv6",
        "cf-pseudo-ipv4",
        "cloudfront-viewer-address", "x-appengine-user-ip", "do-connecting-ip", "x-nf-client-connection-ip",
        "x-vercel-forwarded-for", "incap-client-ip", "x-sucuri-clientip", "cdn-src-ip", "cdn-loop",
        // Proxies and servers.
        "x-envoy-external-address", "x-original-forwarded-for", "x-forwarded", "forwarded-for", "x-forwarded-port",
        "x-forwarded-server", "client-ip", "proxy-client-ip", "wl-proxy-client-ip", "x-original-host", "x-remote-ip",
        "x-remote-addr", "x-proxyuser-ip",
    ]

    /// Which of them a request brings.
    static func forwardingFields(of request: borrowing Request) -> [StaticString] {
        var fields: [StaticString] = []
        for name in forwardingFields where request.hasField(name) { fields.append(name) }
        return fields
    }

    private static func isForwarded(_ request: borrowing Request) -> Bool {
        for name in forwardingFields where request.hasField(name) { return true }
        return false
    }

    /// The client's address according to the proxies. nil when they do not say, or when their two headers disagree: a
    /// proxy may write one and let a forged other one through.
    private static func forwardedAddress(_ request: borrowing Request, _ proxies: TrustedProxies) -> IPAddress? {
        let named = request.fieldValues("x-forwarded-for").flatMap { $0.listElements }.map { $0.trimmingSpaces() }
            .filter { !$0.isEmpty }.map { IPAddress(String($0)) }
        guard request.hasField("forwarded") else { return client(of: named, proxies) }
        let standard = request.fieldValues("forwarded").flatMap(ForwardedField.addresses)
        let address = client(of: standard, proxies)
        guard !named.isEmpty, client(of: named, proxies) != address else { return address }
        return nil
    }

    /// Walks a list of hops from its end, where the nearest proxy wrote. Entries before the first untrusted address may
    /// be invented.
    private static func client(of hops: [IPAddress?], _ proxies: TrustedProxies) -> IPAddress? {
        var client: IPAddress?
        for hop in hops.reversed() {
            guard let hop else { return client }
            client = hop
            if !proxies.contains(hop) { return hop }
        }
        return client
    }
}
