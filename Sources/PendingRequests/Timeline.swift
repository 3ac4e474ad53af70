/// The history of one sign-in: what happened, when, and how often. Without any secret, and bounded.
public struct Timeline: Hashable, Sendable {
    /// An event, and how often it happened.
    public struct Entry: Hashable, Sendable {
        /// The event, with the particulars of the first time.
        public let event: TimelineEvent
        /// When it happened for the first time.
        public internal(set) var first: Timestamp
        /// When it happened for the last time; not earlier than `first`.
        public internal(set) var last: Timestamp
        /// How often it happened; at least 1. It stays at the largest number, because a store may give any number.
        public internal(set) var count: Int

        /// - Parameter count: a number below 1 counts as 1.
        public init(_ event: TimelineEvent, first: Timestamp, last: Timestamp, count: Int) {
            self.event = event
            self.first = first
            self.last = last
            self.count = max(1, count)
        }

        /// Whether the time of this entry includes that of another entry of the same event. Only for an entry that may be
        /// counted already, because loops and gateways may see two events at one time.
        func covers(_ other: Entry) -> Bool { first <= other.first && other.last <= last }

        /// Counts another entry of the same event.
        mutating func add(first: Timestamp, last: Timestamp, count: Int) {
            self.first = min(self.first, first)
            self.last = max(self.last, last)
            let (sum, isTooMuch) = self.count.addingReportingOverflow(count)
            self.count = isTooMuch ? .max : sum
        }
    }

    /// The maximum of entries of a history. There are fewer different events.
    public static let maximumEntries = 64

    /// The app's id; empty if it belongs to no app.
    public internal(set) var app: String
    /// The entries in the order in which they came. That of time is ``chronological``; it differs if several gateways
    /// wrote.
    public internal(set) var entries: [Entry]
    package var room: TimelineRoom

    /// Whether it is the history of a callback that belongs to no request.
    public var isUnasked: Bool { room == .unasked }

    /// - Parameter entries: in the order in which they came. Those beyond ``maximumEntries`` are left out.
    public init(app: String, room: TimelineRoom, entries: [Entry] = []) {
        self.app = app
        self.room = room
        self.entries = Array(entries.prefix(Self.maximumEntries))
    }

    /// The entries by the time at which each happened first.
    public var chronological: [Entry] {
        // Events of one millisecond stay in the order in which they came.
        entries.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }.map(\.element)
    }

    /// A history of notes alone; nil for an empty list.
    public init?(_ notes: [TimelineNote]) {
        guard let first = notes.first else { return nil }
        self.init(app: first.app, room: first.room)
        add(notes)
    }

    /// The history with notes that its store does not have yet.
    public func with(_ notes: [TimelineNote]) -> Timeline {
        var timeline = self
        timeline.add(notes)
        return timeline
    }

    mutating func add(_ notes: [TimelineNote]) {
        for note in notes {
            if app.isEmpty { app = note.app }
            room = room.joined(by: note.room)
            // The last entries first: an event that repeats does so soon.
            if let index = entries.lastIndex(where: { $0.event.identity == note.event.identity }) {
                entries[index].add(first: note.at, last: note.at, count: 1)
            } else if entries.count < Self.maximumEntries {
                entries.append(Entry(note.event, first: note.at, last: note.at, count: 1))
            }
        }
    }

    /// Adds a later part of the same history.
    /// - Parameter isInDoubt: whether its entries may be here already. Entries that are here, at their time, are not counted
    ///   again.
    package mutating func add(_ later: Timeline, isInDoubt: Bool = false) {
        if app.isEmpty { app = later.app }
        room = room.joined(by: later.room)
        for entry in later.entries {
            if let index = entries.lastIndex(where: { $0.event.identity == entry.event.identity }) {
                if isInDoubt, entries[index].covers(entry) { continue }
                entries[index].add(first: entry.first, last: entry.last, count: entry.count)
            } else if entries.count < Self.maximumEntries {
                entries.append(entry)
            }
        }
    }
}

/// One event for one sign-in's history.
public struct TimelineNote: Sendable {
    /// The reference of the history.
    public let reference: Reference
    /// The app's id; empty if it belongs to no app.
    public let app: String
    /// The room of the history, as far as the event itself shows it.
    public let room: TimelineRoom
    /// When it happened.
    public let at: Timestamp
    public let event: TimelineEvent
    /// Whether its store got it before, and did not confirm that it has it.
    package var isInDoubt = false

    public init(
        of reference: Reference, app: String, room: TimelineRoom = .requests, at time: Timestamp,
        _ event: TimelineEvent
    ) {
        self.reference = reference
        self.app = app
        self.room = room
        at = time
        self.event = event
    }
}
