internal import Glibc

/// A thread for blocking calls, or for a loop. It is never joined.
package enum DetachedThread {
    /// Calls `body` on a new thread, which ends when `body` returns. The thread blocks all signals: they belong to the
    /// main thread.
    /// - Throws: ``SystemError`` when the process can have no more threads. `body` was not called then.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(Work(body: body)).toOpaque()
        let code = unsafe pthread_create(&thread, nil, carryOut, argument)
        guard code == 0 else {
            unsafe Unmanaged<Work>.fromOpaque(argument).release()
            throw SystemError("pthread_create", code: code)
        }
        pthread_detach(thread)
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func carryOut(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
