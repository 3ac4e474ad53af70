internal import SwitchyardCrypto

/// An HTML document in the making: markup from the source code, text from anywhere.
///
/// Markup is a `StaticString`, which only a literal can be; everything else is escaped. So no value can become markup.
package struct HTML {
    package private(set) var bytes: [UInt8] = []

    package init(reservingBytes capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func markup(_ markup: StaticString) {
        bytes.append(contentsOf: markup.description.utf8)
    }

    /// Appends text, safe between tags and inside a quoted attribute value.
    ///
    /// Control characters become U+FFFD: HTML forbids most of them, and names need none of them.
    package mutating func text(_ text: some StringProtocol) {
        for byte in text.utf8 {
            switch byte {
            case 0..<0x20, 0x7F: markup("\u{FFFD}")
            default: escape(byte)
            }
        }
    }

    /// Appends a hidden field. Its value comes back with the form unchanged, control characters included.
    package mutating func hiddenField(_ name: String, _ value: String) {
        markup("<input type=\"hidden\" name=\"")
        text(name)
        markup("\" value=\"")
        for byte in value.utf8 { escape(byte) }
        markup("\">\n")
    }

    /// The one place where a value is kept from becoming markup.
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): markup("&amp;")
        case UInt8(ascii: "<"): markup("&lt;")
        case UInt8(ascii: ">"): markup("&gt;")
        case UInt8(ascii: "\""): markup("&quot;")
        case UInt8(ascii: "'"): markup("&#39;")
        default: bytes.append(byte)
        }
    }

    /// Appends text of foreign origin that cannot change the direction of the text around it.
    package mutating func isolated(_ text: String) {
        markup("<bdi>")
        self.text(text)
        markup("</bdi>")
    }

    package mutating func paragraph(_ text: String) {
        markup("<p>")
        self.text(text)
        markup("</p>\n")
    }

    /// Appends a sentence; each value in it is of foreign origin and isolated.
    package mutating func phrase<Slot>(_ phrase: Phrase<Slot>, value: (Slot) -> String) {
        for (index, segment) in phrase.segments.enumerated() {
            if index > 0 { isolated(value(phrase.slots[index - 1])) }
            text(segment)
        }
    }

    /// The hash source by which a page's policy allows exactly this style or script (CSP Level 3, section 2.3.1).
    package static func hashSource(of content: StaticString) -> String { hashSource(of: content.description) }

    package static func hashSource(of content: String) -> String {
        "'sha256-\(Base64.encode(SHA256Digest(of: content).bytes))'"
    }
}
