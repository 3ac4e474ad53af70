/// Words of the log that no other list has: events that an operator acts on, and keys that keep callers out.
enum LogWord: String, CaseIterable, Sendable {
    case keyMissing = "key_missing"
    case storeFailed = "store_failed"
    case deliveryFailed = "delivery_failed"
    case releaseGuessed = "release_guessed"
    case beginFrom = "begin_from"
    case useFrom = "use_from"

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
        case .releaseGuessed:
            (
                "30 release codes or tickets from one network were wrong for an app within an hour; its begins and releases get 429 until that hour is over",
                "Ask who uses the app from the network beside `from`. A program that guesses or repeats a code is to be stopped; others go on when the oldest of the 30 is an hour old."
            )
        case .beginFrom:
            (
                "the app's begin_from permits other callers only",
                "Compare `from` with the app's begin_from; where a proxy stands between, name it in trusted_proxies."
            )
        case .useFrom:
            (
                "the app's use_from permits other programs only",
                "Compare `program` with the app's use_from in the agent's file of the app."
            )
        }
    }
}
