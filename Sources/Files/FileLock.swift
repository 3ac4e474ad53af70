internal import Glibc

/// The reason why a lock was not taken.
public enum LockError: Error, Equatable, Sendable {
    /// Another process holds it.
    /// - Parameter holder: the name that it wrote into the file; nil if it wrote none.
    case held(holder: String?)
    case failed(FileError)
}

/// A lock on a whole file (flock(2)), which one holder on this machine has at a time. The kernel takes it back when the
/// process ends, however that happens.
public struct FileLock: ~Copyable, Sendable {
    public let file: OpenFile

    /// Waits for the lock.
    /// - Parameters:
    ///   - file: opened for ``Opening/updating``.
    ///   - holder: the name that this process writes into the file, for people; nil writes none.
    ///   - deadline: nil to try only once.
    public init(
        _ file: consuming OpenFile, holder: String? = nil, until deadline: ContinuousClock.Instant? = nil
    ) throws(LockError) {
        do throws(LockError) {
            try file.lock(until: deadline)
        } catch .held {
            throw .held(holder: Self.holder(in: file))
        }
        if let holder {
            // Only for people; the lock itself is the kernel's.
            ftruncate(file.descriptor, 0)
            try? file.write(Array("\(holder)\n".utf8))
        }
        self.file = file
    }

    deinit { file.unlock() }

    private static func holder(in file: borrowing OpenFile) -> String? {
        let bytes = (try? Descriptor.read(file.descriptor, upTo: 300)) ?? []
        let line = bytes.prefix { $0 >= 0x20 && $0 < 0x7F }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}

extension OpenFile {
    /// Gives up the lock. To close the file is not enough: a child that was forked in between has the same open file, and
    /// would keep the lock.
    public func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Locks this file until ``unlock()``, or until it is closed here and in each child that was forked meanwhile.
    /// - Parameter deadline: nil to try only once.
    public func lock(until deadline: ContinuousClock.Instant? = nil) throws(LockError) {
        // Asks repeatedly, because flock(2) has no time-out and the holder may be stopped.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                guard let deadline, ContinuousClock.now < deadline else { throw .held(holder: nil) }
                // A random time, so waiting processes do not keep step.
                usleep(.random(in: 200...2000))
            case let code: throw .failed(.system(code))
            }
        }
    }
}
