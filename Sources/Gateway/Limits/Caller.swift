internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// What callers that count as one have in common: an IPv4 address, a /64 of IPv6, or a user of this machine.
enum CallerKey: Hashable, Sendable {
    case address(IPAddress)
    case user(UInt32)

    var shard: Int {
        switch self {
        case .address(let address): address.shard
        case .user(let uid): Int(uid & 0xFFFF)
        }
    }
}

/// Who makes a request, as far as it can be known.
struct Caller: Sendable {
    /// nil on a Unix socket.
    let address: IPAddress?
    /// The user at the other end of a Unix socket; nil on TCP.
    let uid: UInt32?
    private let origin: Origin

    private enum Origin {
        case direct
        /// A trusted proxy says whose address it is.
        case vouchedFor
        /// A trusted proxy does not say for whom it asks.
        case proxyItself
    }

    var key: CallerKey {
        if let address { .address(address.limitKey) } else { .user(uid ?? .max) }
    }

    /// For a log: an address, or a user id.
    var text: String { address.map { "\($0)" } ?? "uid:\(uid ?? .max)" }

    /// The caller behind a request. Forwarding headers count only when the peer itself is a trusted proxy (rule 12):
    /// then it is the last address that no trusted proxy vouches for.
    init(_ request: Request, trusting proxies: TrustedProxies) {
        switch request.connection.peer {
        case .local(let uid):
            self.init(address: nil, uid: uid, origin: .direct)
        case .ip(let bytes, _):
            let peer = IPAddress(bytes: bytes)
            if let peer, proxies.contains(peer) {
                let forwarded = Self.forwardedAddress(request, proxies)
                // The address of a proxy is nobody's: the next one behind it would have told of somebody.
                let isClient = forwarded.map { !proxies.contains($0) } ?? false
                self.init(address: forwarded ?? peer, uid: nil, origin: isClient ? .vouchedFor : .proxyItself)
            } else {
                self.init(address: peer, uid: nil, origin: .direct)
            }
        }
    }

    /// Who is at the other end of a connection on which no request could be read, so that no header says more.
    init(_ peer: Peer) {
        switch peer {
        case .local(let uid): self.init(address: nil, uid: uid, origin: .direct)
        case .ip(let bytes, _): self.init(address: IPAddress(bytes: bytes), uid: nil, origin: .direct)
        }
    }

    private init(address: IPAddress?, uid: UInt32?, origin: Origin) {
        self.address = address
        self.uid = uid
        self.origin = origin
    }

    /// The address, where a list of networks may be asked about it: not that of a trusted proxy, behind which anybody may
    /// stand.
    var ownAddress: IPAddress? { origin == .proxyItself ? nil : address }

    /// Whether the address is where the caller really is: false when a header of its request says otherwise that nobody
    /// vouches for, and for a proxy that does not say for whom it asks.
    func isKnown(by request: Request) -> Bool {
        switch origin {
        case .direct: !Self.forwardingFields.contains { request.hasField($0) }
        case .vouchedFor: true
        case .proxyItself: false
        }
    }

    /// The fields by which proxies say for whom they ask.
    private static let forwardingFields: [StaticString] = [
        "x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host", "x-forwarded-proto", "x-client-ip",
        "true-client-ip", "cf-connecting-ip", "x-cluster-client-ip", "via",
    ]

    /// Where the proxies say that the request comes from; nil when they do not say, or when their two headers disagree: a
    /// proxy may write one and let a forged other one through.
    private static func forwardedAddress(_ request: Request, _ proxies: TrustedProxies) -> IPAddress? {
        let named = request.fieldValues("x-forwarded-for").flatMap(\.listElements).filter { !$0.isEmpty }
            .map { IPAddress(String($0.trimmingSpaces())) }
        guard request.hasField("forwarded") else { return client(of: named, proxies) }
        let standard = request.fieldValues("forwarded").flatMap(ForwardedField.addresses)
        let address = client(of: standard, proxies)
        guard !named.isEmpty, client(of: named, proxies) != address else { return address }
        return nil
    }

    /// Walks a list of hops from its end, where the nearest proxy wrote; what stands before the first untrusted address is
    /// anybody's invention.
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
