internal import SwitchyardText

/// Words that came from an issuer, or tell of one: at most 1 KiB, and free of characters that steer a terminal, a page
/// or a log.
///
/// Longer text is cut between two characters (Unicode scalars). Each control character (C0, DEL, C1), each control of
/// the direction of writing and each of the separators U+2028 and U+2029 becomes a space. A failure holds only such
/// text, so its source does not matter to a page or a log. Escape it where it is shown: it may be markup.
public struct IssuerText: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    /// The limit of ``text``, in bytes.
    public static let maximumLength = 1024

    public let text: String

    public init(_ raw: String) {
        text = Self.clean(raw, within: Self.maximumLength)
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public var description: String { text }

    /// The text without the characters that steer, and of at most `limit` bytes.
    static func clean(_ raw: String, within limit: Int = .max) -> String {
        // Most words need no change.
        if raw.utf8.count <= limit, raw.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return raw }
        var clean = String.UnicodeScalarView()
        var count = 0
        for scalar in raw.unicodeScalars {
            let scalar = isControl(scalar) ? " " : scalar
            count += UTF8.width(scalar)
            if count > limit { break }
            clean.append(scalar)
        }
        return String(clean)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2028, 0x2029: true
        default: false
        }
    }
}

extension IssuerText {
    /// `AADSTS` or `AADB2C` with its digits, if the text begins so: the number of an error in Microsoft's
    /// documentation. It is free of personal data.
    var leadingErrorNumber: IssuerText? {
        let text = text[...].trimmingSpaces()
        guard let name = ["AADSTS", "AADB2C"].first(where: text.hasPrefix) else { return nil }
        let digits = text.utf8.dropFirst(name.utf8.count).prefix(while: ASCII.isDigit)
        // The longest that exist have nine.
        return (1...10).contains(digits.count) ? IssuerText(name + String(Substring(digits))) : nil
    }
}

/// A claims challenge of an issuer, to be sent with the next attempt. One over 4 KiB is dropped: a part of it is
/// useless. It is JSON, where a control character can only stand between two tokens; a space can replace it there.
public struct IssuerClaims: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// In bytes.
    public static let maximumLength = 4096

    public let text: String

    /// nil when it is too long.
    public init?(_ raw: String) {
        guard raw.utf8.count <= Self.maximumLength else { return nil }
        text = IssuerText.clean(raw, within: Self.maximumLength)
    }

    public init(stringLiteral value: StaticString) {
        text = IssuerText.clean("\(value)", within: Self.maximumLength)
    }

    public var description: String { text }
}
