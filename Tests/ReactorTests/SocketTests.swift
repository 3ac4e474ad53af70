import Glibc
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@Suite("Socket") struct SocketTests {
    /// Adopts a socket on the loop and runs `body` with it there.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Socket, SocketPair) async -> Value
    ) async throws -> Value {
        let test = try TestLoop()
        let pair = try SocketPair()
        defer { close(pair.theirs) }
        let value = await test.run { () -> Value? in
            guard let socket = try? Socket(adopting: pair.ours, on: test.loop) else { return nil }
            defer { socket.shutDown() }
            return await body(socket, pair)
        }
        return try #require(value)
    }

    @Test("the peer's bytes can be read once the socket is ready")
    func read() async throws {
        let received = try await run { socket, pair -> [UInt8] in
            pair.sendFromTheirs([1, 2, 3])
            var buffer = [UInt8](repeating: 0, count: 8)
            while true {
                switch socket.read(into: &buffer, at: 0) {
                case .bytes(let count): return Array(buffer[..<count])
                case .wouldBlock: guard await socket.readable() == .ready else { return [] }
                case .endOfStream, .failed: return []
                }
            }
        }
        #expect(received == [1, 2, 3])
    }

    @Test("an end that comes together with the last bytes is found by a read that was short of it")
    func endWithBytes() async throws {
        let found = try await run { socket, pair -> [ReadResult] in
            var buffer = [UInt8](repeating: 0, count: 8)
            // Both before the loop looks: there is one edge for them.
            pair.sendFromTheirs([1, 2, 3])
            shutdown(pair.theirs, Int32(SHUT_WR))
            socket.deadline = Instant.now() + .seconds(5)
            var found: [ReadResult] = []
            while found.last != .endOfStream, await socket.readable() == .ready {
                found.append(socket.read(into: &buffer, at: 0))
            }
            return found
        }
        #expect(found == [.bytes(3), .endOfStream])
    }

    @Test("a wait ends when the deadline passes")
    func deadline() async throws {
        let wakes = try await run { socket, _ in
            socket.deadline = Instant.now() + .milliseconds(10)
            // The first wait may be answered by the edge that every new socket has.
            var wake = await socket.readable()
            if wake == .ready { wake = await socket.readable() }
            return wake
        }
        #expect(wakes == .expired)
    }

    @Test("an interrupt ends a wait that is under way")
    func interrupt() async throws {
        let wake = try await run { socket, _ in
            _ = socket.loop.schedule(at: Instant.now() + .milliseconds(10)) { socket.interrupt() }
            var wake = await socket.readable()
            if wake == .ready { wake = await socket.readable() }
            return wake
        }
        #expect(wake == .interrupted)
    }

    @Test("a peer that goes is noticed once, also by who waits for something else")
    func peerGone() async throws {
        let calls = try await run { socket, pair -> Int in
            let calls = Mutex(0)
            let signal = Signal()
            socket.onPeerGone = {
                calls.withLock { $0 += 1 }
                signal.raise()
            }
            shutdown(pair.theirs, Int32(SHUT_RDWR))
            guard await signal.wait(until: Instant.now() + .seconds(10)), socket.isPeerGone else { return -1 }
            return calls.withLock { $0 }
        }
        #expect(calls == 1)
    }

    @Test("the end of the peer's bytes is told apart from no bytes yet")
    func endOfStream() async throws {
        let results = try await run { socket, pair -> [ReadResult] in
            var buffer = [UInt8](repeating: 0, count: 8)
            let before = socket.read(into: &buffer, at: 0)
            shutdown(pair.theirs, Int32(SHUT_WR))
            return [before, socket.read(into: &buffer, at: 0)]
        }
        #expect(results == [.wouldBlock, .endOfStream])
    }

    @Test("writing all bytes ends with the last one, at the deadline, or when the peer goes")
    func writeAll() async throws {
        let ends = try await run { socket, pair -> [WriteEnd] in
            let written = await socket.writeAll([1, 2, 3])
            // Nobody reads, so the socket fills up.
            socket.deadline = Instant.now() + .milliseconds(10)
            let late = await socket.writeAll([UInt8](repeating: 7, count: 16 << 20))
            socket.deadline = .never
            shutdown(pair.theirs, Int32(SHUT_RDWR))
            return [written, late, await socket.writeAll([4])]
        }
        #expect(ends == [.written, .notInTime, .peerGone])
    }

    @Test("a socket that is full says when it can be written again", arguments: 1...3)
    func backpressure(rounds: Int) async throws {
        let outcomes = try await run { socket, pair -> [Wake] in
            let piece = [UInt8](repeating: 7, count: 65536)
            var outcomes: [Wake] = []
            for _ in 0..<rounds {
                while case .bytes = socket.write(piece, from: 0) {}
                _ = socket.loop.schedule(at: Instant.now() + .milliseconds(5)) {
                    var sink = [UInt8](repeating: 0, count: 1 << 20)
                    while unsafe recv(pair.theirs, &sink, sink.count, Int32(MSG_DONTWAIT)) > 0 {}
                }
                socket.deadline = Instant.now() + .seconds(10)
                outcomes.append(await socket.writable())
            }
            return outcomes
        }
        #expect(outcomes == Array(repeating: .ready, count: rounds))
    }

    @Test("a socket that was shut down is at its end for the peer")
    func shutDown() async throws {
        let count = try await run { socket, pair -> Int in
            socket.shutDown()
            socket.shutDown()
            var byte: UInt8 = 0
            return unsafe recv(pair.theirs, &byte, 1, 0)
        }
        #expect(count == 0)
    }
}
