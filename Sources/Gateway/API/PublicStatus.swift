internal import SwitchyardPendingRequests

/// The status of a request as apps see it: claimed and redeeming read as pending.
enum PublicStatus: String, Sendable {
    case pending
    case releaseRequired = "release_required"
    case completed, failed, expired

    init(_ record: RequestRecord) {
        self =
            switch (record.outcome?.kind, record.held) {
            case (nil, nil): .pending
            case (nil, _?): .releaseRequired
            case (.completed, _), (.handedOver, _): .completed
            case (.failed, _), (.canceled, _), (.denied, _), (.misproved, _), (.heldTooLong, _): .failed
            case (.expired, _): .expired
            }
    }
}
