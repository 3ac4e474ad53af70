internal import SwitchyardCrypto

/// Why bytes are no packed record.
public enum PackedRecordError: Error, Equatable, Sendable {
    /// A later version has written them.
    case newerVersion(UInt8)
    case malformed
}

/// Writes the fields of a packed record, one behind the other.
struct PackedWriter {
    private(set) var result: [UInt8] = []

    init(reserving count: Int) {
        result.reserveCapacity(count)
    }

    mutating func byte(_ byte: UInt8) { result.append(byte) }
    mutating func bytes(_ bytes: [UInt8]) { result.append(contentsOf: bytes) }

    mutating func id(_ id: RequestID) { result.append(addingCapacity: 16) { id.appendBytes(to: &$0) } }
    mutating func reference(_ reference: Reference) {
        result.append(addingCapacity: 7) { reference.appendBytes(to: &$0) }
    }
    mutating func digest(_ digest: SHA256Digest) { result.append(addingCapacity: 32) { digest.appendBytes(to: &$0) } }
    mutating func digest(_ digest: ShortDigest) { result.append(addingCapacity: 16) { digest.appendBytes(to: &$0) } }

    /// Seven bits a byte, the lowest first; all but the last byte have their highest bit set.
    mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            result.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        result.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func fixed(_ number: UInt64) {
        result.append(addingCapacity: 8) { number.appendBytes(to: &$0) }
    }

    /// Writes the distance from another time, which is short; of either sign.
    mutating func time(_ time: Timestamp, since start: Timestamp) {
        let distance = time.milliseconds - start.milliseconds
        number(UInt64(bitPattern: (distance << 1) ^ (distance >> 63)))
    }

    mutating func sized(_ bytes: [UInt8]) {
        number(UInt64(bytes.count))
        self.bytes(bytes)
    }

    /// Writes a text that is base64url as its bytes. Most states, verifiers and nonces are random bytes in base64url.
    mutating func token(_ text: String) {
        let bytes = Array(text.utf8)
        let decoded = Base64URL.decode(bytes)
        number(UInt64(decoded?.count ?? bytes.count) << 1 | (decoded == nil ? 0 : 1))
        result.append(contentsOf: decoded ?? bytes)
    }

    mutating func text(_ text: String) {
        number(UInt64(text.utf8.count))
        result.append(contentsOf: text.utf8)
    }
}

/// Reads the bytes of a ``PackedWriter``. Memory is allocated only for lengths that the bytes really have.
struct PackedReader {
    private let source: [UInt8]
    private var position = 0

    init(_ source: [UInt8]) {
        self.source = source
    }

    var isAtEnd: Bool { position == source.count }

    mutating func byte() throws(PackedRecordError) -> UInt8 {
        guard position < source.count else { throw .malformed }
        defer { position += 1 }
        return source[position]
    }

    mutating func bytes(_ count: Int) throws(PackedRecordError) -> ArraySlice<UInt8> {
        guard count <= source.count - position else { throw .malformed }
        defer { position += count }
        return source[position..<position + count]
    }

    mutating func number() throws(PackedRecordError) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            guard shift < 63 || bits <= 1 else { throw .malformed }
            number |= bits << shift
            if byte < 0x80 {
                // A zero at the end would be a second spelling.
                guard byte != 0 || shift == 0 else { throw .malformed }
                return number
            }
            shift += 7
            guard shift < 64 else { throw .malformed }
        }
    }

    mutating func fixed() throws(PackedRecordError) -> UInt64 {
        let bytes = try bytes(8)
        return UInt64(bytes.span, at: 0)
    }

    mutating func time(since start: Timestamp) throws(PackedRecordError) -> Timestamp {
        let number = try number()
        let distance = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        let (milliseconds, isTooFar) = start.milliseconds.addingReportingOverflow(distance)
        let time = Timestamp(milliseconds: milliseconds)
        guard !isTooFar, time.milliseconds == milliseconds else { throw .malformed }
        return time
    }

    mutating func sized() throws(PackedRecordError) -> [UInt8] {
        guard let count = Int(exactly: try number()) else { throw .malformed }
        return Array(try bytes(count))
    }

    mutating func token() throws(PackedRecordError) -> String {
        let number = try number()
        guard let count = Int(exactly: number >> 1) else { throw .malformed }
        if number & 1 == 1 { return Base64URL.encode(Array(try bytes(count))) }
        return try text(count)
    }

    mutating func text() throws(PackedRecordError) -> String {
        guard let count = Int(exactly: try number()) else { throw .malformed }
        return try text(count)
    }

    private mutating func text(_ count: Int) throws(PackedRecordError) -> String {
        guard count <= source.count - position else { throw .malformed }
        defer { position += count }
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: source.span.extracting(position..<position + count)))
        } catch {
            throw .malformed
        }
    }

    mutating func digest() throws(PackedRecordError) -> SHA256Digest {
        guard let digest = SHA256Digest(bytes: try bytes(32)) else { throw .malformed }
        return digest
    }

    mutating func shortDigest() throws(PackedRecordError) -> ShortDigest {
        guard let digest = ShortDigest(bytes: try bytes(16)) else { throw .malformed }
        return digest
    }
}
