internal import SwitchyardCSecret
internal import SwitchyardText

/// A session with the Secret Service, over the session bus. One call at a time.
@safe final class KeyringConnection {
    private let keyring: OpaquePointer
    /// How long each call may take, in milliseconds.
    private let timeout: Int32

    /// How a call failed.
    struct CallError: Error {
        let status: sy_keyring_status
        let text: String
    }

    init(timeout: Duration) throws(CallError) {
        self.timeout = Int32(max(1, min(timeout, .seconds(3600)).wholeMilliseconds))
        var outcome = sy_keyring_failure()
        guard let keyring = unsafe sy_keyring_open(self.timeout, &outcome) else { throw Self.failure(outcome) }
        unsafe self.keyring = keyring
    }

    deinit {
        unsafe sy_keyring_close(keyring)
    }

    func lookUp(_ cache: CacheName) throws(CallError) -> [UInt8]? {
        var outcome = sy_keyring_failure()
        var count = 0
        let found = unsafe sy_keyring_look_up(keyring, cache.safe, timeout, &count, &outcome)
        try Self.check(outcome)
        guard let bytes = unsafe found else { return nil }
        defer { unsafe sy_keyring_free(bytes, count) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    func store(_ document: [UInt8], _ cache: CacheName, label: String) throws(CallError) {
        var outcome = sy_keyring_failure()
        unsafe sy_keyring_store(keyring, cache.safe, label, document, document.count, timeout, &outcome)
        try Self.check(outcome)
    }

    func storeAside(
        _ document: [UInt8], _ cache: CacheName, mark: String, label: String
    ) throws(CallError) {
        var outcome = sy_keyring_failure()
        unsafe sy_keyring_store_aside(
            keyring, cache.safe, mark, label, document, document.count, timeout, &outcome)
        try Self.check(outcome)
    }

    func clear(_ cache: CacheName) throws(CallError) {
        var outcome = sy_keyring_failure()
        unsafe sy_keyring_clear(keyring, cache.safe, timeout, &outcome)
        try Self.check(outcome)
    }

    private static func check(_ outcome: sy_keyring_failure) throws(CallError) {
        guard outcome.status == sy_keyring_done else { throw failure(outcome) }
    }

    private static func failure(_ outcome: sy_keyring_failure) -> CallError {
        var outcome = outcome
        return CallError(status: outcome.status, text: unsafe String(cString: sy_keyring_message(&outcome)))
    }
}
