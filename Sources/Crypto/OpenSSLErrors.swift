internal import SwitchyardCOpenSSL

/// The calling thread's queue of OpenSSL's errors.
enum OpenSSLErrors {
    /// Runs calls of OpenSSL, and empties the queue behind them. An error that stays there would be taken for one of the
    /// next TLS read of this thread.
    static func cleared<Value>(behind calls: () -> Value) -> Value {
        defer { ERR_clear_error() }
        return calls()
    }
}
