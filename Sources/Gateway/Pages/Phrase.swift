/// A sentence with places for values, written as `"Go back to \(.app)."`.
///
/// `Slot` says what there is to insert, so that a translation cannot ask for what a page does not have.
struct Phrase<Slot: Sendable>: Sendable, ExpressibleByStringInterpolation {
    /// The text around the slots: one more than there are slots.
    let segments: [String]
    /// What stands between each two neighbors of `segments`.
    let slots: [Slot]

    init(stringLiteral value: String) {
        segments = [value]
        slots = []
    }

    init(stringInterpolation: StringInterpolation) {
        segments = stringInterpolation.segments
        slots = stringInterpolation.slots
    }

    private init(segments: [String], slots: [Slot]) {
        self.segments = segments
        self.slots = slots
    }

    /// A long sentence from two lines of source code.
    static func + (left: Phrase, right: Phrase) -> Phrase {
        let seam = (left.segments.last ?? "") + (right.segments.first ?? "")
        return Phrase(
            segments: left.segments.dropLast() + [seam] + right.segments.dropFirst(), slots: left.slots + right.slots)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var segments = [""]
        fileprivate var slots: [Slot] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            segments.reserveCapacity(interpolationCount + 1)
        }

        mutating func appendLiteral(_ literal: String) {
            segments[segments.count - 1] += literal
        }

        mutating func appendInterpolation(_ slot: Slot) {
            slots.append(slot)
            segments.append("")
        }
    }
}

/// A sentence on a page that knows the app.
typealias AppPhrase = Phrase<AppSlot>

enum AppSlot {
    /// The app's name.
    case app
}

/// A sentence on a page that knows the app and the address of the program that asks.
typealias AskerPhrase = Phrase<AskerSlot>

enum AskerSlot {
    /// The app's name.
    case app
    /// The address that the request to sign in came from.
    case address
}
