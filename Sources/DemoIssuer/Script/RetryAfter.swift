internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardText

/// The field `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter: Sendable {
    /// As it is, whether it means anything or not.
    case text(String)
    /// A date so many seconds after the answer.
    case date(in: Int64)

    var text: String {
        switch self {
        case .text(let text): text
        case .date(let seconds): HTTPDate.format(WallClock.seconds() + seconds)
        }
    }
}
