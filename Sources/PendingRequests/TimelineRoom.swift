/// The room for histories: one for callbacks that belong to no request, and one for everything else. Each room has a
/// limit of its own, and its oldest history goes first. So a flood of made-up callbacks, which needs no more than an
/// address, pushes out no history of a request (rules: a flood shuts nobody out).
public enum TimelineRoom: Int, CaseIterable, Sendable {
    case unasked
    case requests

    /// The lifetime of a history.
    package static let lifetime = Duration.seconds(86_400)
    /// The maximum of bytes, for a store that counts them.
    package static let maximumBytes = 16 << 20

    /// The maximum of histories.
    package var maximum: Int {
        switch self {
        case .unasked: 1000
        case .requests: 9000
        }
    }

    /// The room of a history after an event of the other room: any event of a request shows that it is of a request.
    package func joined(by other: TimelineRoom) -> TimelineRoom { self == .requests ? self : other }

    /// The room that gives up its oldest history, in a store with so many of each.
    /// - Parameters:
    ///   - counts: by the room's number.
    ///   - isFull: whether there are too many bytes.
    /// - Returns: nil if everything has room.
    package static func tooFull(_ counts: [Int], isFull: Bool = false) -> TimelineRoom? {
        if let room = allCases.first(where: { counts[$0.rawValue] > $0.maximum }) { return room }
        // Histories of callbacks without a request are short, and few: they are not what fills the store.
        return isFull ? [requests, unasked].first { counts[$0.rawValue] > 0 } : nil
    }
}
