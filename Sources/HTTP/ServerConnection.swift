internal import SwitchyardTLS

/// A connection as its worker knows it, with any protocol. Belongs to its loop's thread.
protocol ServerConnection: AnyObject {
    /// Ends it after the present request; soon if it is idle.
    func stop()
    /// Ends it now, in any state.
    func abandon()
}

/// A connection that has been accepted: the part that the worker and all protocols share.
struct AcceptedConnection {
    let stream: ByteStream
    let context: ConnectionContext
    /// The limiter that counts it.
    let limiter: ConnectionLimiter
    /// A connection over a limit gets one 503 and ends.
    let admission: Result<ConnectionLimiter.Admission, ConnectionLimiter.Refusal>

    /// The network that its unfinished requests count for; nil if they are not counted.
    var network: UInt128? { if case .success(let admission) = admission { admission.network } else { nil } }

    var id: ObjectIdentifier { ObjectIdentifier(context) }
}
