internal import Glibc
public import SwitchyardReactor

/// The messages between a program and its successor, in this order; `go` comes again behind `ready`.
enum SuccessionMessage: Equatable {
    /// The successor has read its configuration and has every socket; it waits for the resources that only one of them
    /// can have.
    case prepared
    /// The old one: take it.
    case go
    /// The new one serves.
    case ready
    /// The new one has heard that the place is its own.
    case taken
    /// The successor gives up.
    case failed(String)

    init?(_ text: String) {
        switch text {
        case "prepared": self = .prepared
        case "go": self = .go
        case "ready": self = .ready
        case "taken": self = .taken
        default:
            guard text.hasPrefix("failed ") else { return nil }
            self = .failed(String(text.dropFirst(7)))
        }
    }

    var text: String {
        switch self {
        case .prepared: "prepared"
        case .go: "go"
        case .ready: "ready"
        case .taken: "taken"
        case .failed(let reason): "failed \(reason)"
        }
    }

    func send(to channel: Int32) {
        let bytes = Array(text.utf8.prefix(4000))
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// A read of the channel.
    enum Arrival: Equatable {
        case message(SuccessionMessage)
        /// The other one is gone.
        case end
        case nothing
        /// Something that no gateway says.
        case nonsense
    }

    /// - Parameter waits: whether to block until there is something.
    static func receive(from channel: Int32, waits: Bool) -> Arrival {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(channel, &bytes, bytes.count, waits ? 0 : Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
        if count == 0 { return .end }
        return SuccessionMessage(String(decoding: bytes[..<count], as: UTF8.self)).map(Arrival.message) ?? .nonsense
    }
}

/// The first descriptor of a successor: the channel, with the sockets behind it.
private let firstDescriptor = ChildProcess.firstDescriptor
/// Names them: a letter for each socket, `o` where its file is the gateway's own, `m` where it is the
/// service manager's.
private let variable = "SWITCHYARD_SUCCEEDS"
/// The place of the predecessor's requests.
private let placeVariable = "SWITCHYARD_SUCCEEDS_AT"

/// The process that replaces this one, as this one sees it. Belongs to its loop's thread.
///
/// Why `@unchecked Sendable`: it is made and used on the loop's thread only.
public final class Successor: Watcher, @unchecked Sendable {
    private let program: IndependentProcess
    private let channel: Int32
    private let loop: EventLoop
    private let signal = Signal()
    private var token: WatchToken?

    /// Starts the program that is now at the path of this one.
    /// - Parameters:
    ///   - program: as a shell would find it.
    ///   - arguments: all of them, the program's name in front.
    ///   - sockets: the listening sockets.
    ///   - place: the place of the requests that the successor continues with, in any words.
    public init(
        _ program: String, _ arguments: [String], sockets: [ListeningSocket], place: String, on loop: EventLoop
    ) throws(SystemError) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw SystemError("socketpair", code: errno) }
        channel = pair[0]
        self.loop = loop
        defer { close(pair[1]) }
        let marks = String(sockets.map { $0.isOurs ? "o" : "m" })
        do {
            self.program = try IndependentProcess(
                program, arguments, Self.environment(marks, place), descriptors: [pair[1]] + sockets.map(\.descriptor))
        } catch {
            close(pair[0])
            throw error
        }
        token = try? loop.watch(channel, self, for: .readable)
    }

    deinit { close(channel) }

    /// Its number.
    public var process: Int32 { program.id }

    /// Tells it to read its configuration again.
    public func reload() { program.signal(SIGHUP) }

    public func isReady(_ events: Readiness) { signal.raise() }

    /// Waits until the successor says that it is prepared, within `patience`. Only from a task of the loop.
    /// - Returns: nil if it is, or the reason for its failure.
    public func waitUntilPrepared(within patience: Duration) async -> String? {
        await wait(for: .prepared, within: patience)
    }

    /// Gives it the resources that only one process can have; and the second time, the place of the service.
    public func go() { SuccessionMessage.go.send(to: channel) }

    /// Waits until the successor serves, as ``waitUntilPrepared(within:)`` does.
    public func waitUntilReady(within patience: Duration) async -> String? {
        await wait(for: .ready, within: patience)
    }

    /// Waits until the successor has the place, as ``waitUntilPrepared(within:)`` does, after the second ``go()``.
    public func waitUntilTaken(within patience: Duration) async -> String? {
        await wait(for: .taken, within: patience)
    }

    private func wait(for message: SuccessionMessage, within patience: Duration) async -> String? {
        let deadline = Instant.now() + patience
        while await signal.wait(until: deadline) {
            switch SuccessionMessage.receive(from: channel, waits: false) {
            case .message(message): return nil
            case .message(.failed(let reason)): return reason
            case .message, .nonsense: return "it is no gateway that can take over"
            case .end: return "it ended; what it said is in the log"
            case .nothing: continue
            }
        }
        return "it took longer than \(patience)"
    }

    /// Kills the successor, without a trace.
    public func kill() {
        letGo()
        program.kill()
    }

    /// Lets the successor continue on its own, and stops listening to it.
    public func letGo() {
        if let token { loop.unwatch(token, channel) }
        token = nil
    }

    // MARK: Beginning it

    /// The service manager's variables were for this process. The successor gets the sockets in another way.
    private static func environment(_ marks: String, _ place: String) -> [String] {
        let dropped = [
            "LISTEN_FDS=", "LISTEN_PID=", "LISTEN_FDNAMES=", "WATCHDOG_PID=", "\(variable)=", "\(placeVariable)=",
        ]
        let kept = ChildProcess.ownEnvironment.filter { entry in !dropped.contains { entry.hasPrefix($0) } }
        return kept + ["\(variable)=\(marks)", "\(placeVariable)=\(place)"]
    }
}

/// The process that this one replaces, as this one sees it.
public struct Predecessor: Sendable {
    private let channel: Int32
    public let sockets: [InheritedSocket]
    /// The place of its requests, in its own words; nil if it does not say.
    public let place: String?

    /// The predecessor; nil if this program was not started by one. Call it once, before any other descriptor is
    /// opened.
    public static func find() throws(SystemError) -> Predecessor? {
        guard let marks = unsafe getenv(variable).map({ unsafe String(cString: $0) }) else { return nil }
        let place = unsafe getenv(placeVariable).map { unsafe String(cString: $0) }
        for name in [variable, placeVariable] { unsafe unsetenv(name) }
        _ = fcntl(firstDescriptor, F_SETFD, FD_CLOEXEC)
        var sockets: [InheritedSocket] = []
        for (index, mark) in marks.enumerated() {
            sockets.append(try InheritedSocket(firstDescriptor + 1 + Int32(index), isOurs: mark == "o"))
        }
        return Predecessor(channel: firstDescriptor, sockets: sockets, place: place)
    }

    /// Says that all is prepared, and waits until the predecessor has released the resources that only one can have. A
    /// predecessor that has died has released them as well. Blocks.
    public func takeOver() {
        SuccessionMessage.prepared.send(to: channel)
        waitForGo()
    }

    /// Says that this one serves, and waits until the service manager was told. Blocks for a moment.
    public func serve() {
        SuccessionMessage.ready.send(to: channel)
        waitForGo()
        SuccessionMessage.taken.send(to: channel)
    }

    private func waitForGo() {
        while true {
            switch SuccessionMessage.receive(from: channel, waits: true) {
            case .message(.go), .end: return
            // A signal came in between, or an unknown message.
            case .nothing, .message, .nonsense: continue
            }
        }
    }

    /// Tells the predecessor that this process gives up.
    public func fail(_ reason: String) { SuccessionMessage.failed(reason).send(to: channel) }
}
