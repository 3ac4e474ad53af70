/// A sentence with places for the app's name, written as `"Go back to \(.app)."`.
struct AppPhrase: Sendable, ExpressibleByStringInterpolation {
    /// What can be inserted into a phrase.
    enum Slot {
        case app
    }

    /// The text around the slots: between each two neighbors stands the app's name.
    let segments: [String]

    init(stringLiteral value: String) {
        segments = [value]
    }

    init(stringInterpolation: StringInterpolation) {
        segments = stringInterpolation.segments
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var segments = [""]

        init(literalCapacity: Int, interpolationCount: Int) {
            segments.reserveCapacity(interpolationCount + 1)
        }

        mutating func appendLiteral(_ literal: String) {
            segments[segments.count - 1] += literal
        }

        mutating func appendInterpolation(_ slot: Slot) {
            switch slot {
            case .app: segments.append("")
            }
        }
    }
}
