/// An event of a sign-in, as its history keeps it: a name and a few words beside it.
///
/// Names and words are from fixed lists, from the configuration, or an address; the caller that makes an event ensures
/// it. A store takes it for text, so that a gateway can show the events of a newer one.
public struct TimelineEvent: Hashable, Sendable {
    /// The name, and what tells the event from others of that name. Two with the same are one entry, which counts them.
    public let identity: String
    /// The further details of the first such event.
    public let particulars: String

    /// Between parts; no part has it.
    private static let separator: Character = "\u{1F}"
    /// The maximum length of one part, in bytes.
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

    /// Reads an event from a store.
    public init(identity: String, particulars: String) {
        self.identity = identity
        self.particulars = particulars
    }

    /// The name of the event, as docs/reference/histories.md lists it.
    public var name: String { String(identity.prefix { $0 != Self.separator }) }

    /// The details beside the name, in their order.
    public var details: [(name: String, value: String)] {
        (identity.split(separator: Self.separator).dropFirst() + particulars.split(separator: Self.separator)).map {
            let sides = $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
        }
    }

    /// The value of the first detail with that name; nil if there is no such detail.
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
        /// The event, with the particulars of the first time.
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

    /// The app's id; empty if it belongs to no app.
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
        // Events of one millisecond stay in the order in which they came.
        entries.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }.map(\.element)
    }

    /// A history of notes alone; nil for an empty list.
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
    /// The reference of the history.
    public let reference: Reference
    /// The app's id; empty if it belongs to no app.
    public let app: String
    /// The share of the room that the history takes.
    public let share: TimelineShare
    /// When it happened.
    public let at: Timestamp
    public let event: TimelineEvent
    /// Whether its store was given it before, and did not say that it has it.
    package var isInDoubt = false

    /// - Parameter share: the share, as far as the event itself shows it.
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

/// The share of the room that a history takes. If the room is full, the kind with the least evidence of its owner gives
/// way first. Within that kind, the largest share loses its oldest history. So a stranger with any number of addresses
/// cannot push out histories that take more than addresses (rules: a flood shuts nobody out).
public struct TimelineShare: Hashable, Sendable {
    /// The evidence of a history's owner, the least first.
    enum Kind: Int, CaseIterable, Sendable {
        /// A callback without a request: any sender can make one.
        case unasked
        /// A sign-in without a callback yet: any permitted beginner can make one, and an app may permit everybody.
        case begun
        /// One that a browser, or a program, came back to: the same, and one call more.
        case returned
        /// A sign-in for which the issuer gave tokens: that takes an account there.
        case redeemed
        /// A sign-in with a caller that its app's `begin_from` vouches for.
        case vouched
    }

    let kind: Kind
    /// Whether it is of a callback that belongs to no request.
    public var isUnasked: Bool { kind == .unasked }
    /// The strength of the evidence: the higher, the longer the history stays.
    public var rank: Int { kind.rawValue }
    /// The part of the beginner's address; nil if the event does not say.
    let beginner: Int?

    /// The number of parts among which the beginners are spread.
    package static let beginners = 16

    private init(_ kind: Kind, _ beginner: Int?) {
        self.kind = kind
        self.beginner = beginner
    }

    /// The share of a refusal without a request.
    /// - Parameter sender: as for ``begun(by:isVouchedFor:)``.
    public static func unasked(by sender: Int) -> TimelineShare { TimelineShare(.unasked, part(of: sender)) }
    /// The share of an event that shows no owner.
    public static let known = TimelineShare(.begun, nil)
    /// The share of a callback that was matched to its request.
    public static let returned = TimelineShare(.returned, nil)
    /// The share of tokens that an issuer gave.
    public static let redeemed = TimelineShare(.redeemed, nil)

    /// The share of a sign-in that begins.
    /// - Parameters:
    ///   - beginner: any number that is the same for all callers that count as one. Callers should not know others'
    ///     numbers: a caller in the same part can push another's histories out.
    ///   - isVouchedFor: whether its app lets only some callers begin, and this is one of them.
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

    /// The share of a history after another event.
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
    /// The maximum of refusals without a request among these.
    package static let unasked = 1000
    /// The reserve of each kind, by its rank, however many there are of the others. Refusals have theirs for
    /// themselves. The others' reserves together are less than the rest, so a full store always has a kind above its
    /// reserve.
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
