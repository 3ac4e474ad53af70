/// A property list of Apple's systems, as far as an `Info.plist` needs it: texts, lists and dictionaries. Everything else is
/// read and left aside. Both forms are read by code of ours, because a file of this size is no reason for a library in C that
/// has to be kept patched.
indirect enum PropertyList: Hashable, Sendable {
    case text(String)
    case list([PropertyList])
    /// A key that stands twice has its first value.
    case dictionary([String: PropertyList])
    /// A number, a date, data, true or false.
    case other

    /// Why a file is none.
    struct Problem: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Nobody writes deeper ones, and who does wants to see the stack end.
    static let maximumDepth = 32
    /// A binary one may name an object any number of times.
    static let maximumParts = 50_000

    init(_ bytes: [UInt8]) throws(Problem) {
        if BinaryPropertyList.isOne(bytes) {
            self = try BinaryPropertyList.read(bytes)
        } else {
            var reader = XMLPropertyList(bytes)
            self = try reader.read()
        }
    }

    /// Whether a file means to be one.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        if BinaryPropertyList.isOne(bytes) { return true }
        var start = bytes[...]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        return start.first { !XMLPropertyList.isSpace($0) } == UInt8(ascii: "<")
    }

    subscript(key: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var list: [PropertyList]? {
        guard case .list(let list) = self else { return nil }
        return list
    }
}

/// The XML form, read strictly: no entities but XML's own five, no external anything.
struct XMLPropertyList {
    private typealias Problem = PropertyList.Problem

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(PropertyList.Problem) -> PropertyList {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Problem("it is not UTF-8; convert it: plutil -convert xml1, or iconv")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try skipMarkup()
        let (name, isEmpty) = try openTag()
        guard name == "plist", !isEmpty else { throw Problem("it is no property list: <plist> is missing") }
        try skipMarkup()
        let (kind, hasNothing) = try openTag()
        let value = try self.value(kind, hasNothing, depth: 0)
        try skipMarkup()
        try closeTag("plist")
        try skipMarkup()
        guard position == bytes.count else { throw Problem("something follows </plist>") }
        return value
    }

    private mutating func value(
        _ kind: String, _ isEmpty: Bool, depth: Int
    ) throws(PropertyList.Problem) -> PropertyList {
        guard depth < PropertyList.maximumDepth else { throw Problem("it is nested too deeply") }
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
        default: throw Problem("<\(kind)> is no part of a property list")
        }
    }

    private mutating func dictionary(_ depth: Int) throws(PropertyList.Problem) -> PropertyList {
        var entries: [String: PropertyList] = [:]
        while try !isAtEnd(of: "dict") {
            let (name, isEmpty) = try openTag()
            guard name == "key" else { throw Problem("<\(name)> where a <key> belongs") }
            let key = isEmpty ? "" : try text(until: "key")
            try skipMarkup()
            let (kind, hasNothing) = try openTag()
            guard kind != "key" else { throw Problem("the key \"\(key)\" has no value") }
            let value = try value(kind, hasNothing, depth: depth + 1)
            if entries[key] == nil { entries[key] = value }
        }
        return .dictionary(entries)
    }

    // MARK: Markup

    /// Goes past spaces, comments, instructions and the document type.
    private mutating func skipMarkup() throws(PropertyList.Problem) {
        while true {
            while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
            if take("<!--") {
                try skip(past: "-->")
            } else if take("<?") {
                try skip(past: "?>")
            } else if take("<!DOCTYPE") {
                let rest = bytes[position...]
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { throw Problem("it ends too early") }
                guard !rest[..<end].contains(UInt8(ascii: "[")) else {
                    throw Problem("it declares entities of its own, which no Info.plist does")
                }
                position = end + 1
            } else {
                return
            }
        }
    }

    private mutating func openTag() throws(PropertyList.Problem) -> (name: String, isEmpty: Bool) {
        guard take("<") else { throw Problem("a value is missing at byte \(position + 1)") }
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")), end > position else {
            throw Problem("it ends too early")
        }
        var inside = bytes[position..<end]
        let isEmpty = inside.last == UInt8(ascii: "/")
        if isEmpty { inside = inside.dropLast() }
        let name = inside.prefix { !Self.isSpace($0) }
        guard !name.isEmpty, name.count <= 16, name.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            throw Problem("it is no property list at byte \(position + 1)")
        }
        position = end + 1
        return (String(decoding: name, as: UTF8.self), isEmpty)
    }

    private mutating func isAtEnd(of name: String) throws(PropertyList.Problem) -> Bool {
        try skipMarkup()
        guard bytes[position...].starts(with: "</".utf8) else { return false }
        try closeTag(name)
        return true
    }

    private mutating func closeTag(_ name: String) throws(PropertyList.Problem) {
        guard take("</\(name)") else { throw Problem("</\(name)> is missing at byte \(position + 1)") }
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard take(">") else { throw Problem("</\(name)> is missing at byte \(position + 1)") }
    }

    private mutating func text(until name: String) throws(PropertyList.Problem) -> String {
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
        throw Problem("it ends too early")
    }

    private mutating func entity() throws(PropertyList.Problem) -> [UInt8] {
        let name = bytes[position...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        guard position + name.count < bytes.count, bytes[position + name.count] == UInt8(ascii: ";") else {
            throw Problem("an \"&\" that begins nothing, at byte \(position)")
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
            else { throw Problem("the entity &\(word); is not one of XML's own") }
            return Array(String(scalar).utf8)
        }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skip(past text: String) throws(PropertyList.Problem) {
        while position < bytes.count {
            if take(text) { return }
            position += 1
        }
        throw Problem("it ends too early")
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// The binary form, `bplist00`: objects, a table of where each begins, and a trailer that says where the table is.
struct BinaryPropertyList {
    private typealias Problem = PropertyList.Problem

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private var parts = 0

    static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    static func read(_ bytes: [UInt8]) throws(PropertyList.Problem) -> PropertyList {
        var (list, top) = try Self.open(bytes)
        return try list.object(top, depth: 0)
    }

    private static func open(_ bytes: [UInt8]) throws(PropertyList.Problem) -> (BinaryPropertyList, top: Int) {
        guard bytes.starts(with: "bplist00".utf8), bytes.count >= 8 + 32 else {
            throw Problem("it is no binary property list of version 00, or was cut short")
        }
        let trailer = bytes.count - 32
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard let count = number(bytes[trailer + 8..<trailer + 16]),
            let top = number(bytes[trailer + 16..<trailer + 24]),
            let table = number(bytes[trailer + 24..<trailer + 32]),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize), (1...trailer).contains(count), top < count,
            (8...trailer).contains(table), count <= (trailer - table) / offsetSize
        else { throw Problem("its trailer is damaged") }
        var offsets: [Int] = []
        for index in 0..<count {
            let place = table + index * offsetSize
            guard let offset = number(bytes[place..<place + offsetSize]), (8..<table).contains(offset) else {
                throw Problem("its table of objects is damaged")
            }
            offsets.append(offset)
        }
        // Objects end where the table begins.
        return (BinaryPropertyList(Array(bytes[..<table]), offsets, referenceSize), top)
    }

    private init(_ bytes: [UInt8], _ offsets: [Int], _ referenceSize: Int) {
        self.bytes = bytes
        self.offsets = offsets
        self.referenceSize = referenceSize
    }

    private mutating func object(_ index: Int, depth: Int) throws(PropertyList.Problem) -> PropertyList {
        parts += 1
        guard depth < PropertyList.maximumDepth, parts <= PropertyList.maximumParts else {
            throw Problem("it is nested too deeply, or in a circle")
        }
        guard offsets.indices.contains(index) else { throw Problem("it names an object that is not there") }
        var position = offsets[index]
        let marker = bytes[position]
        position += 1
        switch marker >> 4 {
        case 0x5:
            let text = try take(try count(marker, &position), &position)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw Problem("a text in it is damaged") }
            return .text(String(decoding: text, as: UTF8.self))
        case 0x6:
            let units = try count(marker, &position)
            guard units <= bytes.count else { throw Problem("it ends too early") }
            let text = Array(try take(units * 2, &position))
            return .text(
                String(
                    decoding: stride(from: 0, to: text.count, by: 2).map {
                        UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
                    },
                    as: UTF16.self))
        case 0xA:
            let references = try references(try count(marker, &position), &position)
            var list: [PropertyList] = []
            for reference in references { list.append(try object(reference, depth: depth + 1)) }
            return .list(list)
        case 0xD:
            let count = try count(marker, &position)
            let keys = try references(count, &position)
            let values = try references(count, &position)
            var entries: [String: PropertyList] = [:]
            for (key, value) in zip(keys, values) {
                guard case .text(let name) = try object(key, depth: depth + 1) else {
                    throw Problem("a key in it is no text")
                }
                let value = try object(value, depth: depth + 1)
                if entries[name] == nil { entries[name] = value }
            }
            return .dictionary(entries)
        default: return .other
        }
    }

    /// How many parts an object has: in its marker, or in a number behind that.
    private func count(_ marker: UInt8, _ position: inout Int) throws(PropertyList.Problem) -> Int {
        guard marker & 0xF == 0xF else { return Int(marker & 0xF) }
        let kind = try take(1, &position)
        guard let kind = kind.first, kind >> 4 == 0x1, kind & 0xF <= 3 else {
            throw Problem("a length in it is damaged")
        }
        guard let count = Self.number(try take(1 << Int(kind & 0xF), &position)) else {
            throw Problem("a length in it is damaged")
        }
        return count
    }

    private func references(_ count: Int, _ position: inout Int) throws(PropertyList.Problem) -> [Int] {
        guard count <= bytes.count else { throw Problem("it ends too early") }
        var references: [Int] = []
        for _ in 0..<count {
            guard let reference = Self.number(try take(referenceSize, &position)) else {
                throw Problem("it names an object that is not there")
            }
            references.append(reference)
        }
        return references
    }

    private func take(_ count: Int, _ position: inout Int) throws(PropertyList.Problem) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw Problem("it ends too early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Big-endian; nil for one that no file is large enough for.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        var number: UInt64 = 0
        for byte in bytes {
            guard number >> 56 == 0 else { return nil }
            number = number << 8 | UInt64(byte)
        }
        return Int(exactly: number)
    }
}
