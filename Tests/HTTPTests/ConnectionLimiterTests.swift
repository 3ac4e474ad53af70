import SwitchyardReactor
import Testing

@testable import SwitchyardHTTP

@Suite("Connection limiter") struct ConnectionLimiterTests {
    /// Counts by the last byte of an address, and its tens as a network; a user of this machine is not counted so.
    private func limiter(total: Int, perAddress: Int, perNetwork: Int = .max) -> ConnectionLimiter {
        let policy = ConnectionLimiter.Policy(total: total, perAddress: perAddress, perNetwork: perNetwork)
        return ConnectionLimiter(policy) { peer in
            guard case .ip(let address, _) = peer, let last = address.last else { return nil }
            return ConnectionLimiter.Keys(address: UInt128(last), network: UInt128(last / 10))
        }
    }

    private func peer(_ last: UInt8, port: UInt16 = 1) -> Peer { .ip(address: [192, 0, 2, last], port: port) }

    @Test("an address has as many connections as it may, whatever their ports, and others have theirs")
    func perAddress() {
        let limiter = limiter(total: 100, perAddress: 2)
        #expect(limiter.place(peer(1, port: 1)) != nil)
        #expect(limiter.place(peer(1, port: 2)) != nil)
        #expect(limiter.place(peer(1, port: 3)) == nil)
        #expect(limiter.place(peer(2)) != nil)
        #expect(limiter.openConnections == 3)
    }

    @Test("a network has as many connections as it may, and others have theirs")
    func perNetwork() throws {
        let limiter = limiter(total: 100, perAddress: 2, perNetwork: 3)
        let held = try [1, 1, 2].map { try #require(limiter.place(peer($0))) }
        #expect(throws: ConnectionLimiter.Refusal.perNetwork) { try limiter.admit(peer(3)).get() }
        #expect(throws: ConnectionLimiter.Refusal.perAddress) { try limiter.admit(peer(1)).get() }
        #expect(limiter.place(peer(10)) != nil)
        #expect(limiter.openConnections == 4)
        limiter.release(held[0])
        #expect(limiter.place(peer(3)) != nil && limiter.place(peer(1)) == nil)
    }

    @Test("a peer that stands for many counts in all only, also after it has become just one")
    func shared() throws {
        let limiter = limiter(total: 100, perAddress: 2)
        limiter.adopt(ConnectionLimiter.Policy(total: 100, perAddress: 2, isShared: { _ in true }))
        let shared = try (1...5).map { try #require(limiter.place(peer(1, port: UInt16($0)))) }
        limiter.adopt(ConnectionLimiter.Policy(total: 100, perAddress: 2))
        let own = try (1...2).map { _ in try #require(limiter.place(peer(1))) }
        #expect(limiter.place(peer(1)) == nil)
        for admission in shared { limiter.release(admission) }
        #expect(limiter.place(peer(1)) == nil)
        for admission in own { limiter.release(admission) }
        #expect(limiter.openConnections == 0 && limiter.place(peer(1)) != nil)
    }

    @Test("all together have as many connections as they may")
    func total() {
        let limiter = limiter(total: 3, perAddress: 2)
        #expect(limiter.place(peer(1)) != nil && limiter.place(peer(2)) != nil && limiter.place(.local(uid: 0)) != nil)
        #expect(limiter.place(peer(3)) == nil)
        #expect(limiter.place(.local(uid: 0)) == nil)
    }

    @Test("a listener with a reserve takes as many more, and no other does")
    func reserve() {
        let limiter = limiter(total: 1, perAddress: 10)
        #expect(limiter.place(peer(1)) != nil)
        for _ in 0..<2 { #expect(limiter.place(peer(2), reserve: 2) != nil) }
        #expect(limiter.place(peer(2), reserve: 2) == nil)
        #expect(limiter.place(peer(3)) == nil)
        #expect(limiter.place(peer(3), reserve: 4) != nil)
    }

    @Test("a connection that ends makes room for exactly one, and a refused one for none")
    func release() throws {
        let limiter = limiter(total: 2, perAddress: 1)
        for _ in 0..<3 {
            let admission = try #require(limiter.place(peer(1)))
            #expect(limiter.place(peer(1)) == nil)
            limiter.release(admission)
        }
        #expect(limiter.openConnections == 0)
    }

    @Test("a peer without a key counts in the total, but not by address")
    func noKey() throws {
        let limiter = limiter(total: 5, perAddress: 1)
        let admissions = try (0..<5).map { _ in try #require(limiter.place(.local(uid: 7))) }
        #expect(limiter.place(.local(uid: 7)) == nil)
        limiter.release(admissions[0])
        #expect(limiter.place(.local(uid: 7)) != nil)
    }

    @Test("a refusal names its limit, the total first")
    func obstacles() throws {
        let limiter = limiter(total: 2, perAddress: 1)
        _ = try limiter.admit(peer(1)).get()
        #expect(throws: ConnectionLimiter.Refusal.perAddress) { try limiter.admit(peer(1)).get() }
        _ = try limiter.admit(peer(2)).get()
        #expect(throws: ConnectionLimiter.Refusal.total) { try limiter.admit(peer(1)).get() }
    }
}

extension ConnectionLimiter {
    /// nil without one.
    fileprivate func place(_ peer: Peer, reserve: Int = 0) -> Admission? {
        try? admit(peer, reserve: reserve).get()
    }
}
