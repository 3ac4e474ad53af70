internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// Where a peer is, as far as it decides anything.
enum PeerPlace: Hashable, Sendable {
    /// The gateway's own machine, by 127.0.0.1, ::1 or a Unix socket.
    case thisMachine
    case address(IPAddress)

    private init(_ address: IPAddress) {
        self = address.isLocalhost ? .thisMachine : .address(address)
    }

    /// The caller's place; nil when only an unvouched header names it, and for a proxy that names no client.
    init?(of caller: Caller, _ request: Request) {
        guard caller.isKnown(by: request) else { return nil }
        if let address = caller.address {
            self.init(address)
        } else {
            self = .thisMachine
        }
    }

    /// Where the browser behind a request is. A browser reaches us over a network: one that comes over a Unix socket is
    /// a proxy, which stands for anybody.
    init?(ofBrowser caller: Caller, _ request: Request) {
        guard caller.address != nil else { return nil }
        self.init(of: caller, request)
    }

    /// Where a request was begun.
    init?(of beginner: RequestRecord.Beginner) {
        guard !beginner.isPlaceUnknown else { return nil }
        guard let text = beginner.address else {
            self = .thisMachine
            return
        }
        guard let address = IPAddress(text) else { return nil }
        self.init(address)
    }

    /// Whether being there means anything: everybody on the internet may share an address with a stranger, but not on
    /// loopback, and not in a network that the operator names.
    func isTrusted(_ networks: [Network]) -> Bool {
        switch self {
        case .thisMachine: true
        case .address(let address): address.isLoopback || networks.contains { $0.contains(address) }
        }
    }
}
