/// Splits the bytes of a TLS peer into the fragments of its records (RFC 8446 section 5.1), as they arrive. Does no I/O
/// and keeps no content.
public struct RecordSplitter: Sendable {
    /// The part of a record that has arrived in one piece.
    public struct Fragment: Sendable {
        /// The content type of its record.
        public let type: UInt8
        /// The version that its record names, such as 0x0303.
        public let version: UInt16
        /// The length of its whole record.
        public let recordLength: Int
        /// The bytes of this piece. Empty if only the header of the record has arrived.
        public let bytes: ArraySlice<UInt8>
        /// Whether the record ends with this piece.
        public let endsRecord: Bool
    }

    /// The content types that matter here.
    public enum ContentType {
        public static let handshake: UInt8 = 22
    }

    private static let headerLength = 5
    /// The bytes of the header that have arrived.
    private var headerBytes = 0
    private var type: UInt8 = 0
    private var version: UInt16 = 0
    private var length = 0
    /// The bytes of the record that have not arrived.
    private var missing = 0

    public init() {}

    /// Takes the next fragment from the front of `bytes`.
    /// - Returns: nil if more bytes are needed; then `bytes` is empty.
    public mutating func next(in bytes: inout ArraySlice<UInt8>) -> Fragment? {
        let isNewRecord = headerBytes < Self.headerLength
        while headerBytes < Self.headerLength {
            guard let byte = bytes.popFirst() else { return nil }
            take(headerByte: byte)
        }
        guard isNewRecord || !bytes.isEmpty else { return nil }
        let piece = bytes.prefix(missing)
        bytes = bytes.dropFirst(piece.count)
        missing -= piece.count
        if missing == 0 { headerBytes = 0 }
        return Fragment(type: type, version: version, recordLength: length, bytes: piece, endsRecord: missing == 0)
    }

    private mutating func take(headerByte byte: UInt8) {
        switch headerBytes {
        case 0: type = byte
        case 1: version = UInt16(byte) << 8
        case 2: version |= UInt16(byte)
        case 3: length = Int(byte) << 8
        default:
            length |= Int(byte)
            missing = length
        }
        headerBytes += 1
    }
}
