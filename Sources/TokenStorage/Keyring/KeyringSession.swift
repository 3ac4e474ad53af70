internal import SwitchyardCSecret
internal import Synchronization

/// The connection to the keyring, made when it is needed, and made anew when the service or the bus is a new one.
final class KeyringSession: Sendable {
    /// Of one thread at a time: the mutex around it sees to that.
    private struct State: @unchecked Sendable {
        var connection: KeyringConnection?
    }

    private let timeout: Duration
    private let state = Mutex(State())

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Calls with the connection at hand. When that fails, it may be that of a service which is gone: once more with a
    /// new one, which is harmless, because every call says how things shall be and none says what to add.
    func call<Value: Sendable>(
        _ body: (KeyringConnection) throws(KeyringConnection.Failure) -> Value
    ) throws(TokenStorageError) -> Value {
        do throws(KeyringConnection.Failure) {
            return try state.withLock { state throws(KeyringConnection.Failure) in
                if let connection = state.connection {
                    do throws(KeyringConnection.Failure) {
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
