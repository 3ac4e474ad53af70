import Glibc
import SwitchyardReactor
public import SwitchyardRedis
import Synchronization

/// Stands between clients and servers of Redis, passes on what both say, and cuts a client off where it is told to, once.
///
/// A client is all connections of one name (``RedisOptions/name``), at whichever of the servers, so that several tests may
/// use one proxy; what servers say to each other through it is let be.
public final class CuttingProxy: Sendable {
    public enum Cut: Hashable, Sendable {
        /// After so many bytes of the client's.
        case request(Int)
        /// After so many bytes of the server's.
        case answer(Int)
        /// Before all of the server's answer of this number was passed on; 0 is the next one.
        case wholeAnswer(Int)
        /// The client's bytes are not even read any more, and the connection ends when the proxy is told to go on.
        case stall
    }

    private struct Order {
        var cut: Cut?
        var isForGood = false
        var hasCut = false

        mutating func hasComeToIt() {
            cut = nil
            hasCut = true
        }

        /// How many of the bytes pass.
        /// - Parameter ends: where whole answers end in them; nil for the client's bytes.
        mutating func allowance(_ count: Int, answersEndAt ends: [Int]?) -> Int {
            switch (cut, ends) {
            case (.request(let left), nil):
                if left >= count {
                    cut = .request(left - count)
                    return count
                }
                hasComeToIt()
                return left
            case (.answer(let left), _?):
                if left >= count {
                    cut = .answer(left - count)
                    return count
                }
                hasComeToIt()
                return left
            case (.wholeAnswer(let left), let ends?):
                if left >= ends.count {
                    cut = .wholeAnswer(left - ends.count)
                    return count
                }
                hasComeToIt()
                return left == 0 ? 0 : ends[left - 1]
            default: return count
            }
        }
    }

    private let test: TestLoop
    private let listeners = Mutex<[ListeningSocket]>([])
    private let orders = Mutex<[String: Order]>([:])
    private let goOn = Signal()

    /// The addresses of the servers behind it, in their order.
    public var addresses: [RedisAddress] {
        listeners.withLock { $0.map { RedisAddress(host: "127.0.0.1", port: $0.port) } }
    }
    /// The address of the first one.
    public var address: RedisAddress { addresses[0] }

    public convenience init(_ server: RedisAddress) throws {
        try self.init([server])
    }

    /// - Parameter servers: at least one.
    public init(_ servers: [RedisAddress]) throws {
        test = try TestLoop()
        try add(servers)
    }

    /// Stands before more servers.
    public func add(_ servers: [RedisAddress]) throws {
        for server in servers {
            let listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
            listeners.withLock { $0.append(listener) }
            test.loop.execute { [weak self, loop = test.loop] in
                _ = listener.accept(on: loop) { socket, _ in
                    guard let self else { return socket.shutDown() }
                    loop.start { await self.serve(socket, server) }
                }
            }
        }
    }

    /// Counting begins now, over all connections of the client.
    /// - Parameter isForGood: whether it gets no connection any more after the cut.
    public func arm(_ cut: Cut, of client: String = RedisOptions().name, isForGood: Bool = false) {
        orders.withLock { $0[client] = Order(cut: cut, isForGood: isForGood) }
    }

    /// Whether it has come to the cut.
    public func hasCut(_ client: String = RedisOptions().name) -> Bool {
        orders.withLock { $0[client]?.hasCut == true }
    }

    /// Ends the connection that is stalled.
    public func endStall() {
        goOn.raise()
    }

    private func serve(_ client: Socket, _ server: RedisAddress) async {
        let deadline = Instant.now() + .seconds(10)
        // Clients speak first, and say their name.
        var first = [UInt8](repeating: 0, count: 64 << 10)
        guard
            let count = await read(from: client, into: &first),
            let upstream = try? await Socket.connect(
                to: server.host, port: server.port, on: test.loop, until: deadline)
        else { return client.shutDown() }
        let name = Self.name(in: first[..<count])
        let isOut = orders.withLock { $0[name].map { $0.isForGood && $0.hasCut } ?? false }
        guard !isOut else {
            client.shutDown()
            return upstream.shutDown()
        }
        test.loop.start { await self.pass(from: upstream, to: client, of: name, answers: AnswerEnds()) }
        await pass(Array(first[..<count]), from: client, to: upstream, of: name)
    }

    private static func name(in bytes: ArraySlice<UInt8>) -> String {
        let words = bytes.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard let place = words.firstIndex(where: { $0.elementsEqual("SETNAME".utf8) }), place + 2 < words.count
        else { return "" }
        return String(decoding: words[place + 2], as: UTF8.self)
    }

    /// - Parameters:
    ///   - first: what was read already.
    ///   - answers: nil for what the client says.
    private func pass(
        _ first: [UInt8] = [], from source: Socket, to destination: Socket, of name: String, answers: AnswerEnds? = nil
    ) async {
        defer {
            source.shutDown()
            destination.shutDown()
        }
        var (bytes, answers) = (first, answers)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if answers == nil, await stalls(name) { return }
            if !bytes.isEmpty {
                let ends = answers?.find(in: bytes)
                let allowed = orders.withLock { $0[name]?.allowance(bytes.count, answersEndAt: ends) } ?? bytes.count
                guard await write(Array(bytes[..<allowed]), to: destination), allowed == bytes.count else { return }
                if answers == nil, await stalls(name) { return }
            }
            guard let count = await read(from: source, into: &buffer) else { return }
            bytes = Array(buffer[..<count])
        }
    }

    /// - Returns: nil at the end.
    private func read(from socket: Socket, into buffer: inout [UInt8]) async -> Int? {
        while true {
            switch socket.read(into: &buffer, at: 0) {
            case .bytes(let count): return count
            case .wouldBlock: guard await socket.readable() == .ready else { return nil }
            case .endOfStream, .failed: return nil
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

    private func stalls(_ name: String) async -> Bool {
        let isStalled = orders.withLock { orders in
            guard orders[name]?.cut == .stall else { return false }
            orders[name]?.hasComeToIt()
            return true
        }
        if isStalled { _ = await goOn.wait() }
        return isStalled
    }
}

/// Finds where whole answers end in what a server says, piece by piece (RESP2).
private struct AnswerEnds {
    private var line: [UInt8] = []
    /// Bytes of a string that are still to come, with the end of its line.
    private var missing = 0
    /// Elements of the present answer that are still to come.
    private var elements = 1

    mutating func find(in bytes: [UInt8]) -> [Int] {
        var ends: [Int] = []
        var place = 0
        func element(_ elements: inout Int) {
            elements -= 1
            guard elements == 0 else { return }
            elements = 1
            ends.append(place)
        }
        while place < bytes.count {
            if missing > 0 {
                let count = min(missing, bytes.count - place)
                missing -= count
                place += count
                if missing == 0 { element(&elements) }
                continue
            }
            line.append(bytes[place])
            place += 1
            guard line.last == UInt8(ascii: "\n") else { continue }
            let number = Int(String(decoding: line.dropFirst().dropLast(2), as: UTF8.self)) ?? 0
            switch line[0] {
            case UInt8(ascii: "$") where number >= 0: missing = number + 2
            case UInt8(ascii: "*") where number > 0: elements += number - 1
            default: element(&elements)
            }
            line = []
        }
        return ends
    }
}
