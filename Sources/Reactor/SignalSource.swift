internal import Glibc
internal import SwitchyardCLinux

/// Signals that a loop takes one by one, instead of having them interrupt the process.
///
/// Why `@unchecked Sendable`: what changes is touched on the loop's thread only.
public final class SignalSource: Watcher, @unchecked Sendable {
    private let descriptor: Int32
    private var handler: ((Int32) -> Void)?

    /// Blocks the signals for this thread and for those that it makes from now on, and collects them from here on.
    public init(_ signals: [Int32]) throws(SystemError) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        let descriptor = unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("signalfd", code: errno) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Calls `handler` on the loop's thread for each signal, for as long as the loop runs. Only on the
    /// loop's thread, once.
    public func start(on loop: EventLoop, _ handler: @escaping (Int32) -> Void) throws(SystemError) {
        self.handler = handler
        _ = try loop.watch(descriptor, self, for: .readable)
    }

    /// Waits for the first signal. Instead of ``start(on:_:)``, once.
    public func next(on loop: EventLoop) async throws(SystemError) -> Int32 {
        let signal = Promise<Int32>()
        try start(on: loop) { signal.fulfil($0) }
        return await signal.value
    }

    public func isReady(_ events: Readiness) {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while unsafe read(descriptor, &info, size) == size { handler?(Int32(info.ssi_signo)) }
    }
}
