internal import Glibc
internal import SwitchyardCLinux

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
