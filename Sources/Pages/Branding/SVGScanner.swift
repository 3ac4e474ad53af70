/// The lexical part of the SVG check: names, attributes, comments and text of XML 1.0, in UTF-8.
struct SVGScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    struct Attribute {
        /// With its prefix.
        let name: String
        /// With its references replaced.
        let value: String
    }

    init(_ bytes: [UInt8]) throws(LogoError) {
        self.bytes = Array(Self.withoutMark(bytes))
        guard let text = String(validating: self.bytes, as: UTF8.self) else { throw LogoError("it is not in UTF-8") }
        var line = 1
        for scalar in text.unicodeScalars {
            guard Self.isCharacter(scalar) else { throw LogoError("a control character", line: line) }
            if scalar == "\n" { line += 1 }
        }
    }

    /// The bytes behind the byte order mark, which editors may write.
    static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    static func isNameByte(_ byte: UInt8) -> Bool {
        isNameStart(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    /// `Char` of XML 1.0.
    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    // MARK: Position

    var isAtEnd: Bool { position == bytes.count }

    func error(_ reason: String) -> LogoError { error(reason, at: position) }

    func error(_ reason: String, at position: Int) -> LogoError {
        LogoError(reason, line: bytes[..<position].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 })
    }

    func isNext(_ text: StaticString) -> Bool { bytes[position...].starts(with: text.description.utf8) }

    mutating func skip(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    // MARK: Between elements

    /// Skips `<?xml … ?>`, which may stand at the start only.
    mutating func declaration() throws(LogoError) {
        guard isNext("<?xml "), skip("<?xml") else { return }
        var allowed = ["version": ["1.0"], "encoding": ["utf-8", "us-ascii"], "standalone": ["yes", "no"]]
        while skipSpace(), !isNext("?>") {
            let attribute = try self.attribute()
            guard allowed.removeValue(forKey: attribute.name)?.contains(attribute.value.lowercased()) == true else {
                throw error("the XML declaration says \(attribute.name)=\"\(attribute.value)\"")
            }
        }
        guard skip("?>"), allowed["version"] == nil else { throw error("the XML declaration is not well-formed") }
    }

    mutating func spaceAndComments() throws(LogoError) {
        repeat { skipSpace() } while try skipComment()
    }

    /// Refuses everything that begins with `<!` or `<?`.
    func refuseDeclarations() throws(LogoError) {
        if isNext("<?") { throw error("a processing instruction") }
        if isNext("<![") { throw error("a CDATA section") }
        if isNext("<!") { throw error("a DOCTYPE, or another declaration") }
    }

    mutating func skipComment() throws(LogoError) -> Bool {
        guard skip("<!--") else { return false }
        while !isNext("--") {
            guard !isAtEnd else { throw error("a comment does not end") }
            position += 1
        }
        guard skip("-->") else { throw error("a comment is not well-formed") }
        return true
    }

    /// Skips text up to the next tag.
    mutating func skipText() throws(LogoError) {
        while !isAtEnd, bytes[position] != UInt8(ascii: "<") {
            // It must not stand in text (XML 1.0, section 2.4).
            if isNext("]]>") { throw error("text that is not well-formed") }
            if bytes[position] == UInt8(ascii: "&") { _ = try reference() } else { position += 1 }
        }
    }

    // MARK: Tags

    /// A name in ASCII, with a prefix if it has one.
    mutating func name() throws(LogoError) -> String {
        let start = position
        try namePart()
        if skip(":") { try namePart() }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func namePart() throws(LogoError) {
        guard !isAtEnd, Self.isNameStart(bytes[position]) else { throw error("a name is not well-formed") }
        while !isAtEnd, Self.isNameByte(bytes[position]) { position += 1 }
    }

    mutating func attribute() throws(LogoError) -> Attribute {
        let name = try self.name()
        skipSpace()
        guard skip("=") else { throw error("the attribute \"\(name)\" without a value") }
        skipSpace()
        guard isNext("\"") || isNext("'") else { throw error("the value of \"\(name)\" without quotes") }
        let quote = bytes[position]
        position += 1
        var value: [UInt8] = []
        while !isAtEnd, bytes[position] != quote {
            switch bytes[position] {
            case UInt8(ascii: "<"): throw error("\"<\" in the value of \"\(name)\"")
            case UInt8(ascii: "&"): value += Array(try reference().utf8)
            case let byte where Self.isSpace(byte):
                value.append(0x20)
                position += 1
            case let byte:
                value.append(byte)
                position += 1
            }
        }
        guard !isAtEnd else { throw error("the value of \"\(name)\" does not end") }
        position += 1
        return Attribute(name: name, value: String(decoding: value, as: UTF8.self))
    }

    /// The character of `&…;`.
    private mutating func reference() throws(LogoError) -> String {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ";")), end - position <= 12 else {
            throw error("\"&\" without a reference")
        }
        let text = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = named[text] {
            position = end + 1
            return character
        }
        guard text.hasPrefix("#") else { throw error("the entity \"&\(text);\"") }
        let digits = text.dropFirst(text.hasPrefix("#x") ? 2 : 1)
        guard digits.first != "+", digits.first != "-",
            let value = UInt32(digits, radix: text.hasPrefix("#x") ? 16 : 10),
            let scalar = Unicode.Scalar(value), Self.isCharacter(scalar)
        else { throw error("the character reference \"&\(text);\"") }
        position = end + 1
        return String(Character(scalar))
    }
}
