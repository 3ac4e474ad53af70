/// A sentence with places for values, written as `"Go back to \(.app)."`.
///
/// `Slot` lists the values that the page has, so a translation cannot name another one.
package struct Phrase<Slot: Sendable>: Sendable, ExpressibleByStringInterpolation {
    /// The text around the slots: one more than there are slots.
    package let segments: [String]
    /// The values between neighboring `segments`.
    package let slots: [Slot]

    package init(stringLiteral value: String) {
        segments = [value]
        slots = []
    }

    package init(stringInterpolation: StringInterpolation) {
        segments = stringInterpolation.segments
        slots = stringInterpolation.slots
    }

    private init(segments: [String], slots: [Slot]) {
        self.segments = segments
        self.slots = slots
    }

    /// A long sentence from two lines of source code.
    package static func + (left: Phrase, right: Phrase) -> Phrase {
        let seam = (left.segments.last ?? "") + (right.segments.first ?? "")
        return Phrase(
            segments: left.segments.dropLast() + [seam] + right.segments.dropFirst(), slots: left.slots + right.slots)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var segments = [""]
        fileprivate var slots: [Slot] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            segments.reserveCapacity(interpolationCount + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            segments[segments.count - 1] += literal
        }

        package mutating func appendInterpolation(_ slot: Slot) {
            slots.append(slot)
            segments.append("")
        }
    }
}
