internal import SwitchyardText

/// The part of an answer that has arrived, within its limits. A fault is seen here before libcurl takes the bytes.
struct ArrivingAnswer {
    /// The reason why no more of it is taken.
    enum Flaw {
        case tooLarge
        /// More than one coding: each unpacks up to a thousand times, and only the last one's output is counted.
        case packedTwice
        /// Two lengths: the end of such content is ambiguous (RFC 9112 section 6.3), and libcurl would take the last
        /// one.
        case twoLengths
    }

    /// The limit for the header, and for the content.
    let maximumBytes: Int
    private(set) var header: [UInt8] = []
    private(set) var content: [UInt8] = []
    private(set) var flaw: Flaw?
    /// By how many the content is packed, as far as its header is there.
    private var codings = 0
    /// The length of the content according to the header, as far as the header has arrived.
    private var length: String?

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Takes one line of the header.
    /// - Returns: whether that is right; else ``flaw`` says why not.
    mutating func take(header line: UnsafeRawBufferPointer) -> Bool {
        // A status line begins the header of another answer: the one before was an interim one (RFC 9110 section 15.2).
        if unsafe line.starts(with: "HTTP/".utf8) { self = ArrivingAnswer(maximumBytes: maximumBytes) }
        guard unsafe fitsLength(line) else { return refuse(.twoLengths) }
        codings += unsafe Self.codings(in: line)
        guard codings <= 1 else { return refuse(.packedTwice) }
        guard line.count <= maximumBytes - header.count else { return refuse(.tooLarge) }
        unsafe header.append(contentsOf: line)
        return true
    }

    /// Takes a piece of the content, unpacked.
    /// - Returns: whether that is right; else ``flaw`` says why not.
    mutating func take(content piece: UnsafeRawBufferPointer) -> Bool {
        guard piece.count <= maximumBytes - content.count else { return refuse(.tooLarge) }
        unsafe content.append(contentsOf: piece)
        return true
    }

    private mutating func refuse(_ flaw: Flaw) -> Bool {
        self.flaw = flaw
        return false
    }

    /// - Returns: whether a line is about something else than the length, or says the same as those before it.
    private mutating func fitsLength(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let value = unsafe Self.value(in: line, of: "content-length") else { return true }
        let text = unsafe String(decoding: value.filter { $0 > 0x20 }, as: UTF8.self)
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        defer { length = values[0] }
        return values.allSatisfy { $0 == length ?? values[0] }
    }

    /// How many codings a line names that libcurl would take off (RFC 9110 section 8.4, RFC 9112 section 6.1).
    private static func codings(in line: UnsafeRawBufferPointer) -> Int {
        guard
            let value = unsafe value(in: line, of: "content-encoding")
                ?? (unsafe value(in: line, of: "transfer-encoding"))
        else { return 0 }
        return unsafe value.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.count { coding in
            let coding = unsafe String(decoding: coding, as: UTF8.self)
            return !["identity", "chunked"].contains { ASCII.equalIgnoringCase(coding, $0) }
        }
    }

    /// The part behind the colon of a line with this name; nil for another line.
    private static func value(
        in line: UnsafeRawBufferPointer, of name: StaticString
    ) -> Slice<UnsafeRawBufferPointer>? {
        let count = name.utf8CodeUnitCount
        guard line.count > count, unsafe line[count] == UInt8(ascii: ":") else { return nil }
        for index in 0..<count where unsafe ASCII.lowercased(line[index]) != name.utf8Start[index] { return nil }
        return unsafe line[(count + 1)...]
    }
}
