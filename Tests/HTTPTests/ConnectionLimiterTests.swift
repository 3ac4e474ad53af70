import Reactor
import Testing

@testable import HTTP

@Suite("Connection limiter") struct ConnectionLimiterTests {
    /// Counts by the last byte of an address; a user of this machine is not counted by address.
    private func limiter(total: Int, perAddress: Int) -> ConnectionLimiter {
        ConnectionLimiter(ConnectionLimiter.Policy(total: total, perAddress: perAddress)) { peer in
            if case .ip(let address, _) = peer { address.last.map { UInt128($0) } } else { nil }
        }
    }

    private func peer(_ last: UInt8, port: UInt16 = 1) -> Peer { .ip(address: [192, 0, 2, last], port: port) }

    @Test("an address has as many connections as it may, whatever their ports, and others have theirs")
    func perAddress() {
        let limiter = limiter(total: 100, perAddress: 2)
        #expect(limiter.admit(peer(1, port: 1)))
        #expect(limiter.admit(peer(1, port: 2)))
        #expect(!limiter.admit(peer(1, port: 3)))
        #expect(limiter.admit(peer(2)))
        #expect(limiter.openConnections == 3)
    }

    @Test("a peer that stands for many is not limited, and its connections count once it is just one")
    func shared() {
        let limiter = limiter(total: 100, perAddress: 2)
        limiter.use(ConnectionLimiter.Policy(total: 100, perAddress: 2, isShared: { _ in true }))
        for port in 1...5 { #expect(limiter.admit(peer(1, port: UInt16(port)))) }
        limiter.use(ConnectionLimiter.Policy(total: 100, perAddress: 2))
        for _ in 1...4 {
            #expect(!limiter.admit(peer(1)))
            limiter.release(peer(1))
        }
        #expect(limiter.admit(peer(1)))
    }

    @Test("all together have as many connections as they may")
    func total() {
        let limiter = limiter(total: 3, perAddress: 2)
        #expect(limiter.admit(peer(1)) && limiter.admit(peer(2)) && limiter.admit(.local(uid: 0)))
        #expect(!limiter.admit(peer(3)))
        #expect(!limiter.admit(.local(uid: 0)))
    }

    @Test("a connection that ends makes room for exactly one, and a refused one for none")
    func release() {
        let limiter = limiter(total: 2, perAddress: 1)
        for _ in 0..<3 {
            #expect(limiter.admit(peer(1)))
            #expect(!limiter.admit(peer(1)))
            limiter.release(peer(1))
        }
        #expect(limiter.openConnections == 0)
    }

    @Test("who has no key counts in all, but not by address")
    func noKey() {
        let limiter = limiter(total: 5, perAddress: 1)
        for _ in 0..<5 { #expect(limiter.admit(.local(uid: 7))) }
        #expect(!limiter.admit(.local(uid: 7)))
        limiter.release(.local(uid: 7))
        #expect(limiter.admit(.local(uid: 7)))
    }
}
