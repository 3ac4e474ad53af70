internal import Glibc

/// Reads and writes that repeat interrupted and short calls, for files and for streams that block.
public enum Descriptor {
    /// Reads the next piece, as the kernel gives it.
    /// - Returns: at most `maximum` bytes; empty at the end.
    public static func read(_ descriptor: Int32, upTo maximum: Int) throws(FileError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: maximum)
        piece.removeSubrange(try read(descriptor, into: &piece, from: 0)...)
        return piece
    }

    /// Reads to the end.
    /// - Parameter expected: the file's size, as far as it is known; saves memory and calls.
    /// - Throws: ``FileError/tooLarge`` for more than `maximum` bytes.
    public static func readAll(
        _ descriptor: Int32, maximum: Int, expected: Int = 4096
    ) throws(FileError) -> [UInt8] {
        let bytes = try readFirst(descriptor, maximum < .max ? maximum + 1 : maximum, expected: expected)
        guard bytes.count <= maximum else { throw .tooLarge }
        return bytes
    }

    /// Reads to the end, or until `maximum` bytes are there.
    public static func readFirst(
        _ descriptor: Int32, _ maximum: Int, expected: Int = 4096
    ) throws(FileError) -> [UInt8] {
        // One more than expected, so the call that finds the end needs no more memory.
        var bytes = [UInt8](repeating: 0, count: min(maximum, max(0, expected) + 1))
        var count = 0
        while count < maximum {
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: min(maximum, 2 * count) - count) }
            let received = try read(descriptor, into: &bytes, from: count)
            if received == 0 { break }
            count += received
        }
        bytes.removeSubrange(count...)
        return bytes
    }

    private static func read(
        _ descriptor: Int32, into bytes: inout [UInt8], from start: Int
    ) throws(FileError) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last }
        }
    }

    /// Writes all bytes. Waits for the reader of a pipe, also where another process has made the pipe non-blocking.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
        try write(bytes[...], to: descriptor)
    }

    public static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if count > 0 {
                start += count
            } else if count < 0, errno == EAGAIN {
                var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&event, 1, -1)
            } else if count == 0 || errno != EINTR {
                throw count == 0 ? .system(EIO) : .last
            }
        }
    }
}
