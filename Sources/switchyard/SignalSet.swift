internal import Glibc

/// Signals that the main thread takes one by one, instead of having them interrupt it.
struct SignalSet: ~Copyable {
    private var set = sigset_t()

    /// Blocks the signals for this thread; threads made later inherit that.
    init(_ signals: [Int32]) {
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next one.
    func next() -> Int32 {
        var number: Int32 = 0
        var set = set
        while unsafe sigwait(&set, &number) != 0 {}
        return number
    }
}
