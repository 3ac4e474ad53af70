/// Text of a far machine, for a person's eyes: it may be wrong, and may be meant to be.
public enum UntrustedText {
    /// The text on one line, without anything that moves a cursor, turns the direction of writing or cannot be seen: such
    /// characters stand there as `\u{…}`. Cut behind `limit` characters.
    public static func shown(_ text: some StringProtocol, limit: Int = 200) -> String {
        var out = ""
        var count = 0
        for scalar in text.unicodeScalars {
            // Counted in scalars: a character may carry marks without end.
            guard count < limit else { return out + "…" }
            count += 1
            if isHarmless(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return out
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        // A space beyond ASCII could pass for the end of an address.
        case .spaceSeparator: false
        default: true
        }
    }
}
