internal import SwitchyardReactor

/// Whether an address reaches this machine only.
enum Loopback {
    /// An address to listen on: numeric, in 127.0.0.0/8 or ::1.
    static func contains(_ address: ListenAddress) -> Bool {
        guard case .tcp(let host, _) = address else { return false }
        if host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The other end of a connection; a Unix socket is on this machine by nature.
    static func contains(_ peer: Peer) -> Bool {
        switch peer {
        case .local: true
        case .ip(let address, _):
            address.count == 4 ? address[0] == 127 : address.last == 1 && address.dropLast().allSatisfy { $0 == 0 }
        }
    }
}
