internal import SwitchyardCSecret
internal import Synchronization

/// The connection to the keyring, made when it is needed, and made anew when the service or the bus is a new one.
final class KeyringSession: Sendable {
    /// Why `@unchecked Sendable`: the mutex around it admits one thread at a time.
    private struct State: @unchecked Sendable {
        var connection: KeyringConnection?
    }

    private let timeout: Duration
    private let state = Mutex(State())

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Calls `body` with the present connection. If that fails, the service may have restarted, so it tries once more
    /// with a new one. Repeating is harmless: every call sets a state, so it never adds a second item.
    func call<Value: Sendable>(
        _ body: (KeyringConnection) throws(KeyringConnection.CallError) -> Value
    ) throws(TokenStorageError) -> Value {
        do throws(KeyringConnection.CallError) {
            return try state.withLock { state throws(KeyringConnection.CallError) in
                if let connection = state.connection {
                    do throws(KeyringConnection.CallError) {
                        return try body(connection)
                    } catch  where error.status != sy_keyring_locked && error.status != sy_keyring_timed_out {
                        state.connection = nil
                    }
                }
                let connection = try KeyringConnection(timeout: timeout)
                state.connection = connection
                return try body(connection)
            }
        } catch {
            throw error.storageError(after: timeout)
        }
    }
}
