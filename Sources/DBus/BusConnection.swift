internal import Glibc
internal import SwitchyardCSystemd
internal import SwitchyardFiles
public import SwitchyardReactor

/// A connection to a message bus, on one event loop.
///
/// Calls wait for their answers side by side. A connection that has ended (``isOpen``) stays so; to go on, make another
/// one.
///
/// Why `@unchecked Sendable`: it is used and released on the thread of its loop only, which its methods require.
@safe
public final class BusConnection: @unchecked Sendable {
    private let loop: EventLoop
    private var bus: OpaquePointer?
    private var calls: [ObjectIdentifier: PendingCall] = [:]
    private var watch: BusWatch?
    private var timer: Timer?
    private var isTurnDue = false

    /// The time an answer may take by default.
    public static let usualLimit = Duration.seconds(5)

    /// How many messages are looked at before the loop's other work gets its turn.
    private static let messagesAtOnce = 64

    /// Begins to connect. Only on the loop's thread.
    /// - Parameter address: as D-Bus writes it, such as `unix:path=/run/user/1000/bus`; see ``sessionAddress``.
    /// - Throws: ``BusError/unreachable(_:)`` for a failure that is known at once. A later failure fails the calls.
    public init(to address: String, on loop: EventLoop) throws(BusError) {
        precondition(EventLoop.current === loop, "only on the connection's own loop")
        self.loop = loop
        guard !address.utf8.contains(0) else { throw .unreachable("its address holds a NUL") }
        var bus: OpaquePointer?
        guard unsafe sd_bus_new(&bus) >= 0, let bus = unsafe bus else { throw .unreachable("no memory") }
        unsafe self.bus = bus
        var code = unsafe sd_bus_set_address(bus, address)
        if code >= 0 { code = unsafe sd_bus_set_bus_client(bus, 1) }
        // Descriptors are neither sent nor taken.
        if code >= 0 { code = unsafe sd_bus_negotiate_fds(bus, 0) }
        if code >= 0 { code = unsafe sd_bus_start(bus) }
        guard code >= 0 else {
            close()
            throw .unreachable(Self.words(code))
        }
        takeTurn()
    }

    deinit {
        close()
    }

    /// False once the connection has ended, by ``close()`` or by the bus.
    public var isOpen: Bool { unsafe bus != nil }

    /// Ends the connection; calls that wait fail as ``BusError/disconnected``. Only on the loop's thread.
    public func close() {
        end(.disconnected)
    }

    /// Calls a method and waits for its answer. Only from a task of the connection's loop.
    /// - Parameter limit: for everything: to be let in by the bus, to start the program that is called, and its answer.
    /// - Returns: the values of the answer, in their order.
    public func call(
        _ method: BusMethod, _ arguments: [BusValue] = [], within limit: Duration = usualLimit
    ) async throws(BusError) -> [BusValue] {
        precondition(EventLoop.current === loop, "only on the connection's own loop")
        guard let bus = unsafe bus else { throw .disconnected }
        let message = try unsafe BusMessage(method, arguments, on: bus)
        let result = await unsafe withUnsafeContinuation { task in
            unsafe begin(PendingCall(task, of: self), message, Instant.now() + limit)
        }
        return try result.get()
    }

    // MARK: Calls

    private func begin(_ call: PendingCall, _ message: BusMessage, _ deadline: Instant) {
        calls[ObjectIdentifier(call)] = call
        guard let bus = unsafe bus else { return finish(call, .failure(.disconnected)) }
        var slot: OpaquePointer?
        let context = unsafe Unmanaged.passUnretained(call).toOpaque()
        // The time is ours to keep: sd-bus counts its own only from when the bus has let us in.
        let code = unsafe sd_bus_call_async(bus, &slot, message.pointer, answerHasCome, context, UInt64.max)
        unsafe call.slot = slot
        guard code >= 0 else { return finish(call, .failure(.malformed("the call"))) }
        call.timer = loop.schedule(at: deadline) { [weak self, weak call] in
            if let call { self?.finish(call, .failure(.timedOut)) }
        }
        prepareTurn()
    }

    /// Answers the waiting task, once. sd-bus does not call back for a call whose slot is gone.
    fileprivate func finish(_ call: PendingCall, _ result: Result<[BusValue], BusError>) {
        guard calls.removeValue(forKey: ObjectIdentifier(call)) != nil else { return }
        call.end(result)
    }

    private func end(_ error: BusError) {
        guard let bus = unsafe bus else { return }
        unsafe self.bus = nil
        timer?.cancel()
        watch?.end()
        watch = nil
        for call in Array(calls.values) { finish(call, .failure(error)) }
        unsafe sd_bus_close_unref(bus)
    }

    // MARK: Turns of the loop

    /// Lets sd-bus read, write and answer, and asks it what it waits for next.
    private func takeTurn() {
        isTurnDue = false
        for _ in 0..<Self.messagesAtOnce {
            // A call's answer may have closed the connection.
            guard let bus = unsafe bus else { return }
            let code = unsafe sd_bus_process(bus, nil)
            if code < 0 { return end(.unreachable(Self.words(code))) }
            if code == 0 { return prepareTurn() }
        }
        takeTurnSoon()
    }

    private func prepareTurn() {
        guard let bus = unsafe bus else { return }
        let (descriptor, events) = unsafe (sd_bus_get_fd(bus), sd_bus_get_events(bus))
        guard descriptor >= 0, events >= 0 else { return takeTurnSoon() }
        if watch?.descriptor != descriptor {
            watch?.end()
            watch = BusWatch(descriptor, on: loop) { [weak self] in self?.takeTurn() }
        }
        var readiness: Readiness = []
        if events & Int32(POLLIN) != 0 { readiness.insert(.readable) }
        if events & Int32(POLLOUT) != 0 { readiness.insert(.writable) }
        guard watch?.watch(for: readiness) == true else { return end(.unreachable("it cannot be watched")) }
        timer?.cancel()
        var due: UInt64 = 0
        guard unsafe sd_bus_get_timeout(bus, &due) > 0, due < UInt64.max / 1000 else { return }
        guard due > 0 else { return takeTurnSoon() }
        timer = loop.schedule(at: Instant(nanoseconds: due * 1000)) { [weak self] in self?.takeTurnSoon() }
    }

    /// Not from within the loop's timers: what sd-bus waits for next would be added to them there.
    private func takeTurnSoon() {
        guard !isTurnDue else { return }
        isTurnDue = true
        loop.execute { [weak self] in self?.takeTurn() }
    }

    private static func words(_ code: Int32) -> String {
        unsafe strerror(-code).map { unsafe String(cString: $0) } ?? "error \(-code)"
    }
}

extension BusConnection {
    /// The address of this user's session bus: from the environment, else the socket where systemd puts it; nil without
    /// either.
    public static var sessionAddress: String? {
        if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return address }
        guard let folder = variable("XDG_RUNTIME_DIR"), FilePath.exists(folder + "/bus") else { return nil }
        return "unix:path=" + escaped(folder + "/bus")
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// As the D-Bus specification wants it in an address.
    static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var escaped: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "*"):
                escaped.append(byte)
            default: escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

/// A call that waits for its answer, and sd-bus's place for it. Belongs to the thread of its connection.
@safe
private final class PendingCall {
    /// Unchecked, and resumed exactly once, because the connection takes the call out of its table first.
    private let task: UnsafeContinuation<Result<[BusValue], BusError>, Never>
    private(set) weak var connection: BusConnection?
    var slot: OpaquePointer?
    var timer: Timer?

    init(_ task: UnsafeContinuation<Result<[BusValue], BusError>, Never>, of connection: BusConnection) {
        unsafe self.task = unsafe task
        self.connection = connection
    }

    func end(_ result: Result<[BusValue], BusError>) {
        timer?.cancel()
        unsafe sd_bus_slot_unref(slot)
        unsafe slot = nil
        unsafe task.resume(returning: result)
    }
}

private func answerHasCome(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message = unsafe message, let context = unsafe context else { return 0 }
    let call = unsafe Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue()
    unsafe call.connection?.finish(call, BusMessage(answer: message).answer())
    return 1
}

/// The loop's watch of the bus's socket. Belongs to the loop's thread.
private final class BusWatch: Watcher {
    let descriptor: Int32
    private let loop: EventLoop
    private let action: () -> Void
    private var token: WatchToken?

    init(_ descriptor: Int32, on loop: EventLoop, _ action: @escaping () -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        self.action = action
    }

    /// Watches for these events from now on. False where the kernel does not.
    func watch(for events: Readiness) -> Bool {
        if let token {
            if (try? loop.change(token, descriptor, to: events)) != nil { return true }
            // sd-bus has gone on to its next address, and the new socket has the old one's number.
            end()
        }
        token = try? loop.watch(descriptor, self, for: events)
        return token != nil
    }

    func end() {
        guard let token else { return }
        loop.unwatch(token, descriptor)
        self.token = nil
    }

    func isReady(_ events: Readiness) { action() }
}
