internal import CSecret
internal import Crypto
internal import Synchronization

/// A document in the desktop keyring: the default collection of the Secret Service, such as gnome-keyring or KWallet, which
/// encrypts it with the user's password.
///
/// It is an item of the schema `org.switchyard.TokenCache` with the attribute `cache`. It never asks the person to unlock:
/// a locked keyring gives `locked`.
public final class KeyringStorage: TokenStorage {
    private enum Seen {
        case notLookedYet
        case found(SHA256Digest?)
    }

    /// Of one thread at a time: the mutex around it sees to that.
    private struct Session: @unchecked Sendable {
        var connection: KeyringConnection?
    }

    private let name: CacheName
    private let label: String
    private let timeout: Duration
    private let lockDirectory: String
    private let session = Mutex(Session())
    private let seen = Mutex(Seen.notLookedYet)

    /// - Parameters:
    ///   - name: the name of the cache: apps that give the same one share the document.
    ///   - label: what people see in the list of their keyring.
    ///   - timeout: how long a call may wait for the keyring, and as long again for other processes.
    ///   - lockDirectory: where the lock of updates is, an absolute path; nil is `$XDG_STATE_HOME/switchyard/tokens`. All
    ///     processes that share the document must name the same one.
    public init(
        name: String, label: String? = nil, timeout: Duration = .seconds(10), lockDirectory: String? = nil
    ) throws(TokenStorageError) {
        self.name = CacheName(name)
        self.label = label ?? "Sign-in tokens (\(self.name.safe))"
        self.timeout = timeout
        // Not XDG_RUNTIME_DIR, which cron jobs and the like do not have, though they may reach the bus: two places for the
        // lock would be no lock.
        self.lockDirectory = try StateDirectory.resolve(lockDirectory)
    }

    public var summary: String { "the desktop keyring" }

    /// Throws what would keep this storage from working here: no session bus, no service, no default collection.
    public func check() throws(TokenStorageError) {
        try call { _ throws(KeyringConnection.Failure) in }
    }

    public func read() throws(TokenStorageError) -> [UInt8]? {
        let document = try call { connection throws(KeyringConnection.Failure) in
            try connection.lookUp(name, timeout: milliseconds)
        }
        seen.withLock { $0 = .found(document.map { SHA256Digest(of: $0) }) }
        return document
    }

    public func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let before = try read()
        var document = before
        let value = change(&document)
        guard document != before else { return value }
        if let document { try TokenStorageLimit.check(document, at: summary) }
        try call { connection throws(KeyringConnection.Failure) in
            if let document {
                try connection.store(document, name, label: label, timeout: milliseconds)
            } else {
                try connection.clear(name, timeout: milliseconds)
            }
        }
        return value
    }

    public func setAside() throws(TokenStorageError) {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let mark = SetAsideMark.next()
        let seen = seen.withLock { $0 }
        try call { connection throws(KeyringConnection.Failure) in
            guard let current = try connection.lookUp(name, timeout: milliseconds) else { return }
            if case .found(let digest) = seen, digest != SHA256Digest(of: current) { return }
            // The copy first: a process that is killed in between leaves two, not none.
            let label = "\(label), set aside \(mark)"
            try connection.storeAside(current, name, mark: mark, label: label, timeout: milliseconds)
            try connection.clear(name, timeout: milliseconds)
        }
    }

    private func lock() throws(TokenStorageError) -> FileLock {
        try FileLock(name.lock, in: PrivateDirectory.make(lockDirectory), timeout: timeout)
    }

    private var milliseconds: Int32 {
        let parts = timeout.components
        let milliseconds = Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
        return Int32(max(1, min(milliseconds, 3_600_000)))
    }

    /// Calls with the session at hand. When that fails, the service or the bus may be new since: once more with a new one,
    /// which is harmless, because every call says how things shall be and none says what to add.
    private func call<Value: Sendable>(
        _ body: (KeyringConnection) throws(KeyringConnection.Failure) -> Value
    ) throws(TokenStorageError) -> Value {
        do throws(KeyringConnection.Failure) {
            return try session.withLock { session throws(KeyringConnection.Failure) in
                if let connection = session.connection {
                    do throws(KeyringConnection.Failure) {
                        return try body(connection)
                    } catch  where error.status != sy_keyring_locked && error.status != sy_keyring_timed_out {
                        session.connection = nil
                    }
                }
                let connection = try KeyringConnection(timeout: milliseconds)
                session.connection = connection
                return try body(connection)
            }
        } catch {
            throw Self.error(error, timeout: timeout)
        }
    }
}
