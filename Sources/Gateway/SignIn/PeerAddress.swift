internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// The address of a peer, as far as decisions need it.
enum PeerAddress: Hashable, Sendable {
    /// The gateway's own machine, by 127.0.0.1, ::1 or a Unix socket.
    case thisMachine
    case address(IPAddress)

    private init(_ address: IPAddress) {
        self = address.isLocalhost ? .thisMachine : .address(address)
    }

    /// The caller's address; nil when only an unvouched header names it, and for a proxy that names no client.
    init?(of caller: Caller, _ request: Request) {
        guard caller.isKnown(by: request) else { return nil }
        if let address = caller.address {
            self.init(address)
        } else {
            self = .thisMachine
        }
    }

    /// The address of the browser behind a request. A browser reaches us over a network: a peer on a Unix socket is a
    /// proxy, which may stand for any browser.
    init?(ofBrowser caller: Caller, _ request: Request) {
        guard caller.address != nil else { return nil }
        self.init(of: caller, request)
    }

    /// The address at which a request was begun.
    init?(of beginner: RequestRecord.Beginner) {
        guard !beginner.isAddressUnknown else { return nil }
        guard let text = beginner.address else {
            self = .thisMachine
            return
        }
        guard let address = IPAddress(text) else { return nil }
        self.init(address)
    }

    /// Whether the address is proof of anything. On the internet people may share an address with a stranger, but not on
    /// loopback, and not in a network that the operator names.
    func isTrusted(_ networks: [Network]) -> Bool {
        switch self {
        case .thisMachine: true
        case .address(let address): address.isLoopback || networks.contains { $0.contains(address) }
        }
    }
}
