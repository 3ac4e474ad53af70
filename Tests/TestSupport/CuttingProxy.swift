import Glibc
import SwitchyardReactor
public import SwitchyardRedis
import Synchronization

/// Stands between a client and a server, passes on what both say, and cuts a connection where it is told to, once.
public final class CuttingProxy: Sendable {
    public enum Cut: Hashable, Sendable {
        /// After so many bytes of the client's.
        case request(Int)
        /// After so many bytes of the server's.
        case answer(Int)
        /// Before the server's answer of this number is passed on; 0 is the next one. One answer at a
        /// time has to be under way.
        case wholeAnswer(Int)
        /// The client's bytes are not even read any more, and the connection ends when the proxy is told to go on.
        case stall
    }

    private struct State {
        var cut: Cut?
        var isForGood = false
        var hasCut = false

        mutating func hasComeToIt() {
            cut = nil
            hasCut = true
        }
    }

    private let test: TestLoop
    private let listener: ListeningSocket
    private let server: RedisAddress
    private let state = Mutex(State())
    private let goOn = Signal()

    public var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: listener.port) }

    public init(_ server: RedisAddress) throws {
        self.server = server
        test = try TestLoop()
        listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        let (loop, listener) = (test.loop, listener)
        loop.execute { [weak self] in
            _ = listener.accept(on: loop) { socket, _ in
                guard let self else { return socket.shutDown() }
                loop.start { await self.serve(socket) }
            }
        }
    }

    /// Counting begins now, over all connections.
    /// - Parameter isForGood: whether no connection is taken any more after the cut.
    public func arm(_ cut: Cut, isForGood: Bool = false) {
        state.withLock { $0 = State(cut: cut, isForGood: isForGood) }
    }

    /// Whether it has come to the cut.
    public var hasCut: Bool { state.withLock { $0.hasCut } }

    /// Ends the connection that is stalled.
    public func endStall() {
        goOn.raise()
    }

    private func serve(_ client: Socket) async {
        guard !state.withLock({ $0.isForGood && $0.hasCut }) else { return client.shutDown() }
        let deadline = Instant.now() + .seconds(10)
        guard
            let upstream = try? await Socket.connect(
                to: server.host, port: server.port, on: test.loop, until: deadline)
        else { return client.shutDown() }
        test.loop.start { await self.pass(from: upstream, to: client, isAnswer: true) }
        await pass(from: client, to: upstream, isAnswer: false)
    }

    private func pass(from source: Socket, to destination: Socket, isAnswer: Bool) async {
        defer {
            source.shutDown()
            destination.shutDown()
        }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if !isAnswer, await stalls() { return }
            switch source.read(into: &buffer, at: 0) {
            case .bytes(let count):
                let allowed = allowance(count, isAnswer: isAnswer)
                guard await write(Array(buffer[..<allowed]), to: destination), allowed == count else { return }
            case .wouldBlock: guard await source.readable() == .ready else { return }
            case .endOfStream, .failed: return
            }
        }
    }

    private func write(_ bytes: [UInt8], to socket: Socket) async -> Bool {
        var offset = 0
        while offset < bytes.count {
            switch socket.write(bytes, from: offset) {
            case .bytes(let count): offset += count
            case .wouldBlock: guard await socket.writable() == .ready else { return false }
            case .endOfStream, .failed: return false
            }
        }
        return true
    }

    private func stalls() async -> Bool {
        let isStalled = state.withLock { state in
            guard state.cut == .stall else { return false }
            state.hasComeToIt()
            return true
        }
        if isStalled { _ = await goOn.wait() }
        return isStalled
    }

    /// How many of the bytes pass.
    private func allowance(_ count: Int, isAnswer: Bool) -> Int {
        state.withLock { state in
            switch (state.cut, isAnswer) {
            case (.request(let left), false):
                if left >= count {
                    state.cut = .request(left - count)
                    return count
                }
                state.hasComeToIt()
                return left
            case (.answer(let left), true):
                if left >= count {
                    state.cut = .answer(left - count)
                    return count
                }
                state.hasComeToIt()
                return left
            case (.wholeAnswer(let left), true):
                if left > 0 {
                    state.cut = .wholeAnswer(left - 1)
                    return count
                }
                state.hasComeToIt()
                return 0
            default: return count
            }
        }
    }
}
