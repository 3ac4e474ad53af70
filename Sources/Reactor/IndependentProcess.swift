internal import Glibc
internal import SwitchyardCLinux

/// A program that this process starts and that is not its child: its parent is the first process of the system, or the
/// nearest one that adopts orphans, such as a user's systemd.
///
/// A service manager waits only for the end of its own children. So a process that takes a service over must be one
/// before the manager is told of it.
public final class IndependentProcess: Sendable {
    public let id: Int32
    /// A pidfd; -1 if the kernel has no pidfds.
    private let descriptor: Int32

    /// How long a process may take to end that was killed.
    private static let endLimit = Duration.seconds(5)

    /// Begins a program, with no signal blocked.
    /// - Parameters:
    ///   - program: as a shell would find it.
    ///   - arguments: all of them, the program's name in front.
    ///   - environment: `NAME=VALUE`.
    ///   - descriptors: from ``ChildProcess/firstDescriptor`` on; it gets no others but the standard three.
    public init(
        _ program: String, _ arguments: [String], _ environment: [String], descriptors: [Int32]
    ) throws(SystemError) {
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        var descriptor: Int32 = -1
        id = unsafe sy_spawn_orphan(
            program, arguments.pointers, environment.pointers, descriptors, Int32(descriptors.count), &descriptor)
        self.descriptor = descriptor
        guard id > 0 else { throw SystemError("exec(\"\(program)\")", code: errno) }
    }

    deinit { if id > 0, descriptor >= 0 { close(descriptor) } }

    /// Sends a signal, unless the process has ended.
    public func signal(_ number: Int32) {
        if descriptor >= 0 { _ = sy_signal_process(descriptor, number) } else { _ = Glibc.kill(id, number) }
    }

    /// Kills it, and waits until it has ended. Blocks.
    public func kill() {
        signal(SIGKILL)
        let end = Instant.now() + Self.endLimit
        while Instant.now() < end {
            guard descriptor >= 0 else {
                reapIfOurs()
                guard Glibc.kill(id, 0) == 0 else { return }
                usleep(10_000)
                continue
            }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&wanted, 1, 100) > 0 { return reapIfOurs() }
        }
    }

    /// The first process of a container adopts its own orphans.
    private func reapIfOurs() { _ = waitpid(id, nil, WNOHANG) }
}
