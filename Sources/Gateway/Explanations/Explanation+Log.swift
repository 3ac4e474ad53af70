/// The events of the log that tell of the gateway itself and that an operator has to act on.
enum LogWord: String, CaseIterable, Sendable {
    case keyMissing = "key_missing"
    case storeFailed = "store_failed"
    case deliveryFailed = "delivery_failed"

    var explanation: Explanation { Explanation(.log, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .keyMissing:
            (
                "requests of the store are sealed with the encryption key `id`, which is not below encryption_keys: it was taken out too early",
                "Put the key back below encryption_keys, behind the one that seals now, and reload. Take it out once request_lifetime has passed."
            )
        case .storeFailed:
            (
                "the store does not do what it is asked: a full disk, a database that was moved, or Redis out of reach",
                "Look at the reason beside it, and at /readyz. Nothing is used up meanwhile: apps and browsers are told to come again."
            )
        case .deliveryFailed:
            (
                "a handler did not hand a callback over; with again=true it is tried again",
                "Look at the reason beside it: `switchyard explain` knows each. Is the app, or its server, running, and does it take the callback?"
            )
        }
    }
}
