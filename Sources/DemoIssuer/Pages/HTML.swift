/// An HTML document in the making. Markup can only be a literal of the source code; every value is escaped.
struct HTML {
    private(set) var bytes: [UInt8] = []

    mutating func markup(_ markup: StaticString) {
        bytes += markup.description.utf8
    }

    /// Text between tags or inside a quoted attribute value.
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            default: bytes.append(byte)
            }
        }
    }

    mutating func hiddenField(_ name: String, _ value: String) {
        markup("<input type=\"hidden\" name=\"")
        text(name)
        markup("\" value=\"")
        text(value)
        markup("\">\n")
    }
}
