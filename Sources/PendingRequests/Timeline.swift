/// What happened in a sign-in, as its history keeps it: a name and a few words beside it.
///
/// Names and words are from fixed lists, from the configuration, or an address; whoever makes one sees to that. A store
/// takes it for text, so that a gateway can show what a newer one has written.
public struct TimelineEvent: Hashable, Sendable {
    /// The name, and what tells the event from others of that name. Two with the same are one entry, which counts them.
    public let identity: String
    /// What else there is to say, of the first one.
    public let particulars: String

    /// Between parts; no part has it.
    private static let separator: Character = "\u{1F}"
    /// Of one part, in bytes.
    private static let maximumLength = 160

    /// - Parameters:
    ///   - distinctions: with other ones it is another event.
    ///   - particulars: kept of the first one only. No name stands twice.
    public init(
        _ name: String, _ distinctions: [(name: String, value: String)] = [],
        particulars: [(name: String, value: String)] = []
    ) {
        var identity = name
        for distinction in distinctions {
            identity.append(Self.separator)
            identity += Self.part(distinction)
        }
        self.identity = identity
        self.particulars = particulars.map(Self.part).joined(separator: String(Self.separator))
    }

    /// As a store kept it.
    public init(identity: String, particulars: String) {
        self.identity = identity
        self.particulars = particulars
    }

    /// What happened, as docs/reference/histories.md lists it.
    public var name: String { String(identity.prefix { $0 != Self.separator }) }

    /// What stands beside the name, in its order.
    public var details: [(name: String, value: String)] {
        (identity.split(separator: Self.separator).dropFirst() + particulars.split(separator: Self.separator)).map {
            let sides = $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
        }
    }

    /// The value of the first detail with that name; nil where there is none.
    public subscript(detail: String) -> String? { details.first { $0.name == detail }?.value }

    private static func part(_ detail: (name: String, value: String)) -> String {
        guard detail.value.utf8.count > maximumLength || detail.value.utf8.contains(where: { $0 < 0x20 }) else {
            return "\(detail.name)=\(detail.value)"
        }
        var value = String.UnicodeScalarView()
        var length = 0
        for scalar in detail.value.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= maximumLength else { break }
            value.append(scalar.value < 0x20 ? " " : scalar)
        }
        return "\(detail.name)=\(String(value))"
    }
}

/// The history of one sign-in: what happened, when, and how often. Without any secret, and bounded.
public struct Timeline: Hashable, Sendable {
    /// An event, and how often it happened.
    public struct Entry: Hashable, Sendable {
        /// What happened; with the particulars of the first time.
        public let event: TimelineEvent
        /// When it happened for the first time.
        public internal(set) var first: Timestamp
        /// When it happened for the last time; not earlier than `first`.
        public internal(set) var last: Timestamp
        /// How often; at least 1. It stays at the largest number: a store may give any.
        public internal(set) var count: Int

        /// - Parameter count: taken for 1 where it is less.
        public init(_ event: TimelineEvent, first: Timestamp, last: Timestamp, count: Int) {
            self.event = event
            self.first = first
            self.last = last
            self.count = max(1, count)
        }

        /// Counts another entry of the same event.
        mutating func add(first: Timestamp, last: Timestamp, count: Int) {
            self.first = min(self.first, first)
            self.last = max(self.last, last)
            let (sum, isTooMuch) = self.count.addingReportingOverflow(count)
            self.count = isTooMuch ? .max : sum
        }
    }

    /// How many entries one has at the most. There are fewer different events than this.
    public static let maximumEntries = 64

    /// The app's id; empty where it is nobody's.
    public internal(set) var app: String
    /// In the order in which they came; ``chronological`` is that of time, which is another where
    /// several gateways wrote.
    public internal(set) var entries: [Entry]
    package var share: TimelineShare

    /// Whether it is of a callback that belongs to no request.
    public var isUnasked: Bool { share.isUnasked }

    /// - Parameter entries: in the order in which they came. Those beyond ``maximumEntries`` are left out.
    public init(app: String, share: TimelineShare, entries: [Entry] = []) {
        self.app = app
        self.share = share
        self.entries = Array(entries.prefix(Self.maximumEntries))
    }

    /// The entries by the time at which each happened first.
    public var chronological: [Entry] {
        // What happened in one millisecond stays in the order in which it came.
        entries.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }.map(\.element)
    }

    /// Of notes alone; nil when there are none.
    public init?(_ notes: [TimelineNote]) {
        guard let first = notes.first else { return nil }
        self.init(app: first.app, share: first.share)
        add(notes)
    }

    /// With notes that its store has not got yet.
    public func with(_ notes: [TimelineNote]) -> Timeline {
        var timeline = self
        timeline.add(notes)
        return timeline
    }

    mutating func add(_ notes: [TimelineNote]) {
        for note in notes {
            if app.isEmpty { app = note.app }
            share = share.joined(by: note.share)
            // The last ones are looked at first: what repeats itself does so soon.
            if let index = entries.lastIndex(where: { $0.event.identity == note.event.identity }) {
                entries[index].add(first: note.at, last: note.at, count: 1)
            } else if entries.count < Self.maximumEntries {
                entries.append(Entry(note.event, first: note.at, last: note.at, count: 1))
            }
        }
    }

    /// Adds what another one of the same reference has, which came later.
    mutating func add(_ later: Timeline) {
        if app.isEmpty { app = later.app }
        share = share.joined(by: later.share)
        for entry in later.entries {
            if let index = entries.lastIndex(where: { $0.event.identity == entry.event.identity }) {
                entries[index].add(first: entry.first, last: entry.last, count: entry.count)
            } else if entries.count < Self.maximumEntries {
                entries.append(entry)
            }
        }
    }
}

/// One event for one sign-in's history.
public struct TimelineNote: Sendable {
    /// Whose history it is for.
    public let reference: Reference
    /// The app's id; empty where it is nobody's.
    public let app: String
    /// In whose room that history stands.
    public let share: TimelineShare
    /// When it happened.
    public let at: Timestamp
    /// What happened.
    public let event: TimelineEvent
    /// Whether its store was given it before, and did not say that it has it.
    package var isInDoubt = false

    /// - Parameter share: what the event itself says about whose it is.
    public init(
        of reference: Reference, app: String, share: TimelineShare = .known, at time: Timestamp, _ event: TimelineEvent
    ) {
        self.reference = reference
        self.app = app
        self.share = share
        at = time
        self.event = event
    }
}

/// In whose room a history stands. When all of it is taken, what goes is the oldest of who has the most, among those of
/// whom the least is known: what a stranger can make from any number of addresses never pushes out what takes more than
/// addresses (rules: a flood shuts nobody out).
public struct TimelineShare: Hashable, Sendable {
    /// What is known of whose it is, the least first.
    enum Kind: Int, CaseIterable, Sendable {
        /// A callback that belongs to no request: whoever can send one.
        case unasked
        /// A sign-in of which no callback has come: whoever may begin one, which may be anybody.
        case begun
        /// One that a browser, or a program, came back to: the same, and one call more.
        case returned
        /// One for which the issuer gave tokens: who has an account there.
        case redeemed
        /// One that a caller began for whom its app's `begin_from` vouches.
        case vouched
    }

    let kind: Kind
    /// Whether it is of a callback that belongs to no request.
    public var isUnasked: Bool { kind == .unasked }
    /// How much is known of whose it is: the more, the longer it stays.
    public var rank: Int { kind.rawValue }
    /// A part of those who begin, by their address; nil where the event does not say.
    let beginner: Int?

    /// Into how many parts those who begin are put.
    package static let beginners = 16

    private init(_ kind: Kind, _ beginner: Int?) {
        self.kind = kind
        self.beginner = beginner
    }

    /// Of a refusal that belongs to no request.
    /// - Parameter sender: as for ``begun(by:)``.
    public static func unasked(by sender: Int) -> TimelineShare { TimelineShare(.unasked, part(of: sender)) }
    /// Of an event that says nothing about whose it is.
    public static let known = TimelineShare(.begun, nil)
    /// Of a callback that was given its request.
    public static let returned = TimelineShare(.returned, nil)
    /// Of tokens that an issuer gave.
    public static let redeemed = TimelineShare(.redeemed, nil)

    /// Of a sign-in that begins.
    /// - Parameters:
    ///   - beginner: any number that those have in common who count as one. Nobody outside should know others' numbers:
    ///     who stands in somebody's part can push that one's histories out.
    ///   - isVouchedFor: whether its app lets only some begin, and this is one of them.
    public static func begun(by beginner: Int, isVouchedFor: Bool = false) -> TimelineShare {
        TimelineShare(isVouchedFor ? .vouched : .begun, part(of: beginner))
    }

    private static func part(of caller: Int) -> Int { Int(UInt(bitPattern: caller) % UInt(beginners)) }

    /// Reads ``number`` back; nil for any other number.
    package init?(number: Int) {
        guard number >= 0, let kind = Kind(rawValue: number / (Self.beginners + 1)) else { return nil }
        let beginner = number % (Self.beginners + 1)
        self.init(kind, beginner == Self.beginners ? nil : beginner)
    }

    /// From 0 up to ``count``.
    package var number: Int { kind.rawValue * (Self.beginners + 1) + (beginner ?? Self.beginners) }

    package static let count = Kind.allCases.count * (beginners + 1)

    /// What the share of a history becomes with another event.
    package func joined(by other: TimelineShare) -> TimelineShare {
        TimelineShare(kind.rawValue < other.kind.rawValue ? other.kind : kind, beginner ?? other.beginner)
    }
}

/// How many histories are kept, for how long, and which goes when there are too many. The same for every store.
package struct TimelineRoom: Sendable {
    package static let lifetime = Duration.seconds(86_400)
    /// Altogether; in bytes for a store that counts them.
    package static let maximum = 10_000
    package static let maximumBytes = 16 << 20
    /// Of these, what refusals without a request may have at the most.
    package static let unasked = 1000
    /// What each kind keeps, whatever there is of the others, by its rank. Refusals have it for themselves; the others
    /// together have less than what is left, so that one of them has more than its own where there are too many.
    package static let reserves = [unasked, 1000, 2000, 2500, 2500]

    /// Which share gives up its oldest, in a store with so many of each.
    /// - Parameters:
    ///   - counts: by ``TimelineShare/number``.
    ///   - isFull: whether there is too little room in another regard.
    /// - Returns: nil when everything has room.
    package static func victim(_ counts: [Int], isFull: Bool = false) -> Int? {
        func shares(_ kind: TimelineShare.Kind) -> Range<Int> {
            let width = TimelineShare.beginners + 1
            return kind.rawValue * width..<(kind.rawValue + 1) * width
        }
        func total(_ kind: TimelineShare.Kind) -> Int { counts[shares(kind)].reduce(0, +) }
        func largest(_ kind: TimelineShare.Kind) -> Int? {
            shares(kind).filter { counts[$0] > 0 }.max { counts[$0] < counts[$1] }
        }
        if total(.unasked) > unasked { return largest(.unasked) }
        let ofRequests = TimelineShare.Kind.allCases.dropFirst()
        guard isFull || ofRequests.reduce(0, { $0 + total($1) }) > maximum - unasked else { return nil }
        // Few large ones may fill it before any kind has what is reserved for it.
        let kind =
            ofRequests.first { total($0) > reserves[$0.rawValue] }
            ?? TimelineShare.Kind.allCases.first { total($0) > 0 }
        return kind.flatMap(largest)
    }
}
