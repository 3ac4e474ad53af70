internal import SwitchyardCHiredis

/// An answer of Redis.
public enum RedisValue: Hashable, Sendable {
    case null
    case integer(Int64)
    /// `+OK` and the like.
    case status(String)
    /// A string of Redis: any bytes.
    case bytes([UInt8])
    case array([RedisValue])
    case error(RedisServerError)

    /// Text of a status or a string; nil for anything else.
    public var text: String? {
        switch self {
        case .status(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .array, .error: nil
        }
    }

    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// A number, also where Redis wrote it as a string.
    public var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .bytes, .status: text.flatMap { Int64($0) }
        case .null, .array, .error: nil
        }
    }

    public var array: [RedisValue]? {
        if case .array(let values) = self { values } else { nil }
    }
}

/// Reads answers out of what comes over the wire, in pieces of any size. Belongs to one connection.
///
/// An answer has limits: a server that sends something else must not take the process's memory or its stack.
@safe struct ReplyReader: ~Copyable {
    /// The bytes are not Redis's protocol, or they are a reply beyond the limits.
    struct Malformed: Error {}

    /// The bytes of one answer. 64 records, as many as are asked for at once, are far below.
    private static let maximumLength = 256 << 20
    private var length = 0

    /// Why `nonisolated(unsafe)` is not needed: the reader never leaves its connection, which stays on one thread.
    private let reader: UnsafeMutablePointer<redisReader>

    init?() {
        guard let reader = unsafe sy_redis_reader() else { return nil }
        unsafe self.reader = unsafe reader
    }

    deinit { unsafe redisReaderFree(reader) }

    mutating func feed(_ bytes: [UInt8], count: Int) {
        length += count
        _ = unsafe bytes.withUnsafeBytes { bytes in
            unsafe redisReaderFeed(reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count)
        }
    }

    /// - Returns: nil until a whole answer is there.
    mutating func next() throws(Malformed) -> RedisValue? {
        var failed: Int32 = 0
        let reply = unsafe sy_redis_next_reply(reader, &failed)
        guard failed == 0 else { throw Malformed() }
        guard let reply = unsafe reply else {
            guard length <= Self.maximumLength else { throw Malformed() }
            return nil
        }
        defer { unsafe freeReplyObject(reply) }
        length = 0
        return unsafe try RedisValue(reply, depth: 0)
    }
}

extension RedisValue {
    fileprivate init(_ reply: UnsafeMutablePointer<redisReply>, depth: Int32) throws(ReplyReader.Malformed) {
        guard depth <= SY_REDIS_MAXIMUM_DEPTH else { throw ReplyReader.Malformed() }
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_INTEGER: self = unsafe .integer(reply.pointee.integer)
        case REDIS_REPLY_STRING: self = unsafe .bytes(Self.bytes(of: reply))
        case REDIS_REPLY_STATUS: self = unsafe .status(String(decoding: Self.bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_ERROR:
            self = unsafe .error(RedisServerError(String(decoding: Self.bytes(of: reply), as: UTF8.self)))
        case REDIS_REPLY_ARRAY:
            var elements: [RedisValue] = []
            for index in 0..<Int(unsafe reply.pointee.elements) {
                guard let element = unsafe sy_redis_element(reply, index) else {
                    elements.append(.null)
                    continue
                }
                elements.append(unsafe try RedisValue(element, depth: depth + 1))
            }
            self = .array(elements)
        default: self = .null
        }
    }

    private static func bytes(of reply: UnsafeMutablePointer<redisReply>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: reply.pointee.str, count: Int(reply.pointee.len)))
    }
}
