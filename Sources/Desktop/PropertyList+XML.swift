/// The reader, which is strict: no entities but XML's own five, no external anything.
struct XMLPropertyList {
    private typealias ReadingError = PropertyList.ReadingError

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(PropertyList.ReadingError) -> PropertyList {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ReadingError("it is not UTF-8; convert it: plutil -convert xml1 FILE, or iconv")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try skipMarkup()
        let (name, isEmpty) = try openTag()
        guard name == "plist", !isEmpty else { throw ReadingError("it is no property list: <plist> is missing") }
        try skipMarkup()
        let (kind, hasNothing) = try openTag()
        let value = try self.value(kind, hasNothing, depth: 0)
        try skipMarkup()
        try closeTag("plist")
        try skipMarkup()
        guard position == bytes.count else { throw ReadingError("something follows </plist>") }
        return value
    }

    private mutating func value(
        _ kind: String, _ isEmpty: Bool, depth: Int
    ) throws(PropertyList.ReadingError) -> PropertyList {
        guard depth < PropertyList.maximumDepth else { throw ReadingError("it is nested too deeply") }
        switch kind {
        case "dict": return isEmpty ? .dictionary([:]) : try dictionary(depth)
        case "array":
            var list: [PropertyList] = []
            while !isEmpty, try !isAtEnd(of: "array") {
                let (kind, isEmpty) = try openTag()
                list.append(try value(kind, isEmpty, depth: depth + 1))
            }
            return .list(list)
        case "string", "key": return .text(isEmpty ? "" : try text(until: kind))
        case "true", "false", "integer", "real", "date", "data":
            if !isEmpty { _ = try text(until: kind) }
            return .other
        default: throw ReadingError("<\(kind)> is no part of a property list")
        }
    }

    private mutating func dictionary(_ depth: Int) throws(PropertyList.ReadingError) -> PropertyList {
        var entries: [String: PropertyList] = [:]
        while try !isAtEnd(of: "dict") {
            let (name, isEmpty) = try openTag()
            guard name == "key" else { throw ReadingError("<\(name)> where a <key> belongs") }
            let key = isEmpty ? "" : try text(until: "key")
            try skipMarkup()
            let (kind, hasNothing) = try openTag()
            guard kind != "key" else { throw ReadingError("the key \"\(key)\" has no value") }
            let value = try value(kind, hasNothing, depth: depth + 1)
            if entries[key] == nil { entries[key] = value }
        }
        return .dictionary(entries)
    }

    // MARK: Markup

    /// Goes past spaces, comments, instructions and the document type.
    private mutating func skipMarkup() throws(PropertyList.ReadingError) {
        while true {
            while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
            if take("<!--") {
                try skip(past: "-->")
            } else if take("<?") {
                try skip(past: "?>")
            } else if take("<!DOCTYPE") {
                let rest = bytes[position...]
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw ReadingError("it ends too early") }
                guard !rest[..<end].contains(UInt8(ascii: "[")) else {
                    throw ReadingError("it declares entities of its own, which no Info.plist does")
                }
                position = end + 1
            } else {
                return
            }
        }
    }

    private mutating func openTag() throws(PropertyList.ReadingError) -> (name: String, isEmpty: Bool) {
        guard take("<") else { throw ReadingError("a value is missing at byte \(position + 1)") }
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")), end > position else {
            throw ReadingError("it ends too early")
        }
        var inside = bytes[position..<end]
        let isEmpty = inside.last == UInt8(ascii: "/")
        if isEmpty { inside = inside.dropLast() }
        let name = inside.prefix { !Self.isSpace($0) }
        guard !name.isEmpty, name.count <= 16, name.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            throw ReadingError("it is no property list at byte \(position + 1)")
        }
        position = end + 1
        return (String(decoding: name, as: UTF8.self), isEmpty)
    }

    private mutating func isAtEnd(of name: String) throws(PropertyList.ReadingError) -> Bool {
        try skipMarkup()
        guard bytes[position...].starts(with: "</".utf8) else { return false }
        try closeTag(name)
        return true
    }

    private mutating func closeTag(_ name: String) throws(PropertyList.ReadingError) {
        guard take("</\(name)") else { throw ReadingError("</\(name)> is missing at byte \(position + 1)") }
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard take(">") else { throw ReadingError("</\(name)> is missing at byte \(position + 1)") }
    }

    private mutating func text(until name: String) throws(PropertyList.ReadingError) -> String {
        var text: [UInt8] = []
        while position < bytes.count {
            if take("<![CDATA[") {
                let start = position
                try skip(past: "]]>")
                text += bytes[start..<position - 3]
            } else if take("<!--") {
                try skip(past: "-->")
            } else if bytes[position] == UInt8(ascii: "<") {
                try closeTag(name)
                return String(decoding: text, as: UTF8.self)
            } else if take("&") {
                text += try entity()
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        throw ReadingError("it ends too early")
    }

    private mutating func entity() throws(PropertyList.ReadingError) -> [UInt8] {
        let name = bytes[position...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        guard position + name.count < bytes.count, bytes[position + name.count] == UInt8(ascii: ";") else {
            throw ReadingError("an \"&\" that begins nothing, at byte \(position)")
        }
        position += name.count + 1
        let word = String(decoding: name, as: UTF8.self)
        switch word {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let digits = word.dropFirst(word.hasPrefix("#x") ? 2 : 1)
            guard word.hasPrefix("#"), let number = UInt32(digits, radix: word.hasPrefix("#x") ? 16 : 10),
                let scalar = Unicode.Scalar(number)
            else { throw ReadingError("the entity &\(word); is not one of XML's own") }
            return Array(String(scalar).utf8)
        }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past text: String) throws(PropertyList.ReadingError) {
        while position < bytes.count {
            if take(text) { return }
            position += 1
        }
        throw ReadingError("it ends too early")
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
