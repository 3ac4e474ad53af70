internal import Glibc
internal import SwitchyardJSON
internal import Synchronization

/// Whole lines, from whatever thread. Past C's library, which shares a lock with whoever reads standard input.
enum Output {
    private static let lock = Mutex(())

    static func write(_ object: JSONObject) {
        let line = JSONValue.object(object).serialized + [UInt8(ascii: "\n")]
        lock.withLock { _ in
            var written = 0
            while written < line.count {
                let count = unsafe line[written...].withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                written += count
            }
        }
    }
}
