internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardText

/// Programs that this one begins.
public enum ChildProcess {
    /// The number of the first descriptor that a program gets beside the standard three.
    public static let firstDescriptor: Int32 = 3

    /// The environment of this process as `NAME=VALUE`, for a program that inherits all of it or a part.
    public static var ownEnvironment: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            unsafe variables.append(String(cString: text))
            unsafe next += 1
        }
        return variables
    }

    /// This process's environment by name.
    public static var ownVariables: [String: String] {
        var all: [String: String] = [:]
        for variable in ownEnvironment {
            let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
        }
        return all
    }
}

extension ChildProcess {
    /// The event that ends a program beside its own end.
    public enum Bond: Sendable {
        /// It goes on by itself.
        case none
        /// It gets SIGTERM when the calling thread ends, however that happens: by SIGKILL too.
        case thread
    }

    /// Begins a program with these standard descriptors and no others.
    /// - Parameters:
    ///   - program: found as a shell finds it. A program that does not exist ends at once with status 127.
    ///   - leadsSession: whether the program gets a session of its own. The first descriptor that is a terminal becomes
    ///     its controlling terminal.
    /// - Returns: the process. The caller must wait for it.
    public static func start(
        _ program: String, _ arguments: [String], _ environment: [String], input: Int32, output: Int32, error: Int32,
        leadsSession: Bool = false, bond: Bond = .thread
    ) throws(SystemError) -> Int32 {
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        let process = unsafe sy_start(
            program, arguments.pointers, environment.pointers, input, output, error, leadsSession ? 1 : 0,
            bond == .thread ? 1 : 0)
        guard process > 0 else { throw SystemError("fork", code: errno) }
        return process
    }

    /// Becomes another program.
    /// - Returns: only when it cannot be had.
    public static func become(_ program: String, _ arguments: [String]) -> SystemError {
        let arguments = CStrings(arguments)
        unsafe execvp(program, arguments.pointers)
        return SystemError("exec(\"\(program)\")", code: errno)
    }
}

extension ChildProcess {
    /// The outcome of a wait for a child.
    public enum Wait: Sendable {
        case ended(ChildEnd)
        case running
        /// The kernel does not tell, as for a process that ignores SIGCHLD.
        case unknown
    }

    /// How often a kernel without pidfds is asked.
    private static let interval = Duration.milliseconds(20)

    /// Waits for the end of a program that this process has started, and reaps it. Blocks.
    public static func wait(for process: Int32, until deadline: Instant) -> Wait {
        let descriptor = sy_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return .ended(ChildEnd(waitStatus: status)) }
            guard ended == 0 || errno == EINTR else { return .unknown }
            let rest = deadline - Instant.now()
            guard rest > .zero else { return .running }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let pause = descriptor >= 0 ? rest : min(rest, interval)
            _ = unsafe poll(&wanted, 1, Int32(clamping: pause.wholeMilliseconds + 1))
        }
    }
}

/// How a program ended.
public enum ChildEnd: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    public var isKilled: Bool {
        if case .killed = self { true } else { false }
    }

    /// - Parameter status: as `wait` has it.
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }

    /// The status in a shell's form.
    public var status: Int32 {
        switch self {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        }
    }
}

/// The programs that a loop has started and waits for. SIGCHLD must be blocked, and lead to ``look()``.
///
/// Why `@unchecked Sendable`: it is used on the loop's thread only.
public final class ChildTable: @unchecked Sendable {
    private var waiting: [Int32: Promise<ChildEnd>] = [:]

    public init() {}

    /// The end of a program that this process has started. Once for each program.
    public func end(of process: Int32) -> Promise<ChildEnd> {
        let end = Promise<ChildEnd>()
        waiting[process] = end
        look()
        return end
    }

    /// Some of them may have ended.
    public func look() {
        for process in waiting.keys {
            var status: Int32 = 0
            guard unsafe waitpid(process, &status, WNOHANG) == process else { continue }
            waiting.removeValue(forKey: process)?.fulfil(ChildEnd(waitStatus: status))
        }
    }
}

/// A program in a session of its own, in the root folder, without our descriptors. It is ours to end until ``letGo()``;
/// afterwards it may outlive this process. Belongs to its loop's thread.
///
/// It is not reaped before that, so the numbers of the process and of its group stay its own.
///
/// Why `@unchecked Sendable`: only its loop's thread uses it.
public final class DetachedProcess: Watcher, @unchecked Sendable {
    private let process: Int32
    private let descriptor: Int32
    private let loop: EventLoop
    /// Whether its status was 0, once it has ended.
    public let success = Promise<Bool>()
    private var token: WatchToken?
    private var isOurs = true

    /// How long a program may take that was asked to end.
    private static let grace = Duration.seconds(5)

    /// Begins a program. Only on the loop's thread.
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in this process's `PATH`.
    ///   - arguments: all of them, the program's name in front.
    ///   - environment: `NAME=VALUE`, all that it gets.
    public static func begin(
        _ program: String, _ arguments: [String], _ environment: [String], on loop: EventLoop
    ) throws(SystemError) -> DetachedProcess {
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        let process = unsafe sy_spawn_detached(program, arguments.pointers, environment.pointers, "/dev/null")
        guard process > 0 else { throw SystemError("posix_spawn", code: errno) }
        let child = DetachedProcess(process, sy_process_descriptor(process), loop)
        // Without a watch the child stays a zombie until this process ends, which does no harm.
        child.token = try? loop.watch(child.descriptor, child, for: .readable)
        return child
    }

    private init(_ process: Int32, _ descriptor: Int32, _ loop: EventLoop) {
        self.process = process
        self.descriptor = descriptor
        self.loop = loop
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private var hasEnded: Bool { token == nil }

    /// From now on the loop only reaps it at its end. Only on the loop's thread.
    public func letGo() {
        isOurs = false
        if hasEnded { reap() }
    }

    /// Ends it and the processes of its group: SIGTERM, and SIGKILL if that fails within five seconds. Returns when it
    /// has ended. Only from a task of the loop.
    public func terminate() async {
        defer { letGo() }
        // Also where the program itself has ended: it may have left its work to another.
        kill(-process, SIGTERM)
        if !hasEnded { _ = await success.value(until: .now() + Self.grace) }
        kill(-process, SIGKILL)
        if !hasEnded { _ = await success.value(until: .now() + Self.grace) }
    }

    public func isReady(_ events: Readiness) {
        let status = sy_process_result(process)
        guard status >= 0, let token else { return }
        self.token = nil
        loop.unwatch(token, descriptor)
        success.fulfil(status == 0)
        if !isOurs { reap() }
    }

    private func reap() {
        var status: Int32 = 0
        _ = unsafe waitpid(process, &status, WNOHANG)
    }
}

/// Texts as C has them, with a null pointer at the end.
@safe final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = texts.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}
