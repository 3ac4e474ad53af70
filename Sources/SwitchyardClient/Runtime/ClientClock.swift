/// What time it is. Replaced only by tests.
struct ClientClock: Sendable {
    let now: @Sendable () -> Timestamp

    static let system = ClientClock(now: Timestamp.now)
}
