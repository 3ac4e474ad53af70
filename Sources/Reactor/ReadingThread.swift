internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardText

/// Reads a descriptor with blocking calls on a thread of its own. For descriptors that other programs share, such as a
/// terminal: changing their flags would affect those programs.
///
/// Why `@unchecked Sendable`: it calls its closures on its own thread only, and its state never changes.
public final class ReadingThread: @unchecked Sendable {
    private let descriptor: Int32
    private let pause: Duration
    private let take: @Sendable (ArraySlice<UInt8>) -> Bool
    private let rest: @Sendable () -> Void
    private let end: @Sendable () -> Void

    /// - Parameters:
    ///   - pause: the time without input after which `rest` is called, once for each such time.
    ///   - take: called with each piece; false ends the reading.
    ///   - end: called once, after the last piece.
    public static func start(
        _ descriptor: Int32, pause: Duration, take: @escaping @Sendable (ArraySlice<UInt8>) -> Bool,
        rest: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable () -> Void = {}
    ) throws(SystemError) {
        let reader = ReadingThread(descriptor, pause, take, rest, end)
        try DetachedThread.start { reader.run() }
    }

    private init(
        _ descriptor: Int32, _ pause: Duration, _ take: @escaping @Sendable (ArraySlice<UInt8>) -> Bool,
        _ rest: @escaping @Sendable () -> Void, _ end: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.pause = pause
        self.take = take
        self.rest = rest
        self.end = end
    }

    fileprivate func run() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var wait = -1 as Int32
        let pause = Int32(clamping: pause.wholeMilliseconds)
        while true {
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&event, 1, wait)
            if ready == 0 {
                rest()
                wait = -1
                continue
            }
            if ready < 0, errno == EINTR { continue }
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // A terminal fails instead of ending when its program has gone.
            guard count > 0, take(buffer[..<count]) else { break }
            wait = pause
        }
        end()
    }
}
