internal import SwitchyardReactor

extension ConnectionLimiter {
    /// Limits the connections of a server on loopback that serves this user alone. Connections of other users, and of
    /// hidden users, share a few places, so they cannot keep this user's browser out.
    public static func forOwnUser(at port: UInt16) -> ConnectionLimiter {
        let policy = Policy(total: placesOfOwnUser + placesOfOthers, perAddress: placesOfOthers)
        return ConnectionLimiter(policy) { LoopbackPeer.isOwnUser($0, at: port) ? nil : Keys(address: 0, network: nil) }
    }

    private static let placesOfOwnUser = 256
    private static let placesOfOthers = 16
}
