internal import SwitchyardCSecret
internal import SwitchyardCrypto
internal import Synchronization

/// A document in the desktop keyring: the default collection of the Secret Service, such as gnome-keyring or KWallet,
/// which encrypts it with the user's password.
///
/// It is an item of the schema `org.switchyard.TokenCache` with the attribute `cache`. It never asks the person to
/// unlock: a locked keyring gives `locked`. After the person made another collection the default one, the document is still
/// found where it was, and moves with the next update.
public final class KeyringStorage: TokenStorage {
    private enum Seen {
        case notLookedYet
        case found(SHA256Digest?)
    }

    private let name: CacheName
    private let label: String
    private let session: KeyringSession
    private let timeout: Duration
    private let lockDirectory: String
    private let seen = Mutex(Seen.notLookedYet)

    /// - Parameters:
    ///   - name: the name of the cache: apps that give the same one share the document.
    ///   - label: what people see in the list of their keyring.
    ///   - timeout: how long a call may wait for the keyring, and as long again for other processes.
    ///   - lockDirectory: where the lock of updates is, an absolute path; nil is `$XDG_STATE_HOME/switchyard/tokens`.
    ///     All processes that share the document must name the same one.
    public init(
        name: String, label: String? = nil, timeout: Duration = .seconds(10), lockDirectory: String? = nil
    ) throws(TokenStorageError) {
        self.name = CacheName(name)
        self.label = label ?? "Sign-in tokens (\(self.name.safe))"
        self.timeout = timeout
        session = KeyringSession(timeout: timeout)
        // Not XDG_RUNTIME_DIR: cron jobs and the like lack it, but may reach the bus, and two places for the lock would
        // be useless.
        self.lockDirectory = try StateDirectory.resolve(lockDirectory)
    }

    public var summary: String { "the desktop keyring" }

    /// Whether libsecret, which the keyring needs, is installed. Loads it.
    package static var isInstalled: Bool { sy_keyring_is_installed() == 1 }

    /// The remedy where it is not.
    package static let installation = "install libsecret-1-0 (libsecret on other systems than Debian's)"

    /// Throws what would keep this storage from working here: no session bus, no service, no default collection.
    public func check() throws(TokenStorageError) {
        try session.call { _ throws(KeyringConnection.CallError) in }
    }

    public func read() throws(TokenStorageError) -> [UInt8]? {
        let document = try session.call { connection throws(KeyringConnection.CallError) in
            try connection.lookUp(name)
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
        try session.call { connection throws(KeyringConnection.CallError) in
            if let document {
                try connection.store(document, name, label: label)
            } else {
                try connection.clear(name)
            }
        }
        return value
    }

    public func setAside() throws(TokenStorageError) {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        let mark = SetAsideSuffix.next()
        let seen = seen.withLock { $0 }
        try session.call { connection throws(KeyringConnection.CallError) in
            guard let current = try connection.lookUp(name) else { return }
            if case .found(let digest) = seen, digest != SHA256Digest(of: current) { return }
            // The copy first: if the process is killed in between, two copies remain, and the document is safe.
            let label = "\(label), set aside \(mark)"
            try connection.storeAside(current, name, mark: mark, label: label)
            try connection.clear(name)
        }
    }

    private func lock() throws(TokenStorageError) -> DocumentLock {
        try DocumentLock(inTurn: name, in: PrivateDirectory.make(lockDirectory), timeout: timeout)
    }
}
