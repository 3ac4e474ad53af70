/// The binary form, `bplist00`: objects, a table of where each begins, and a trailer that says where the table is.
struct BinaryPropertyList {
    private typealias Problem = PropertyList.Problem

    private let bytes: [UInt8]
    private let offsets: [Int]
    private let referenceSize: Int
    private var parts = 0
    private var taken = 0

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
    private mutating func count(_ marker: UInt8, _ position: inout Int) throws(PropertyList.Problem) -> Int {
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

    private mutating func references(_ count: Int, _ position: inout Int) throws(PropertyList.Problem) -> [Int] {
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

    private mutating func take(_ count: Int, _ position: inout Int) throws(PropertyList.Problem) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw Problem("it ends too early") }
        // One text may be named from many places, and is read for each of them.
        taken += count
        guard taken <= PropertyList.maximumBytes else { throw Problem("it holds more than an Info.plist can") }
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
