/// An event of a sign-in, as its history keeps it: a name and a few words beside it.
///
/// Names and words are from fixed lists, from the configuration, or an address; the caller that makes an event ensures
/// it. A store takes it for text, so that a gateway can show the events of a newer one.
public struct TimelineEvent: Hashable, Sendable {
    /// The name, and the details that distinguish the event from others of that name. An entry counts the events with the
    /// same identity.
    public let identity: String
    /// The further details of the first such event.
    public let particulars: String

    /// The character between parts. No part has it.
    private static let separator: Character = "\u{1F}"
    /// The maximum length of one part, in bytes.
    private static let maximumLength = 160

    /// - Parameters:
    ///   - distinctions: details that make it another event if they differ.
    ///   - particulars: further details. An entry has those of its first event. No name stands twice.
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
