internal import Glibc

/// An open file, closed with its last use.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    deinit {
        close(descriptor)
    }

    /// The file's type, owner and size.
    func status() -> stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }
}

extension OpenFile {
    /// Everything up to the end; nil when there are more than `maximum` bytes.
    func readAll(maximum: Int) throws(SystemFailure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: min(maximum, Int(status()?.st_size ?? 0)) + 1)
        var count = 0
        while true {
            let received = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw SystemFailure.last }
            guard received > 0 else { break }
            count += received
            guard count <= maximum else { return nil }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
        }
        bytes.removeSubrange(count...)
        return bytes
    }

    func writeAll(_ bytes: [UInt8]) throws(SystemFailure) {
        var count = 0
        while count < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw SystemFailure.last }
            count += written
        }
    }
}
