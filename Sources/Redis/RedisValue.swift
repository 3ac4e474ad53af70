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
@safe struct ReplyReader: ~Copyable {
    /// The bytes are not Redis's protocol.
    struct Malformed: Error {}

    /// Why `nonisolated(unsafe)` is not needed: the reader never leaves its connection, which stays on one thread.
    private let reader: UnsafeMutablePointer<redisReader>

    init?() {
        guard let reader = unsafe redisReaderCreate() else { return nil }
        unsafe self.reader = unsafe reader
    }

    deinit { unsafe redisReaderFree(reader) }

    mutating func feed(_ bytes: [UInt8], count: Int) {
        _ = unsafe bytes.withUnsafeBytes { bytes in
            unsafe redisReaderFeed(reader, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count)
        }
    }

    /// - Returns: nil until a whole answer is there.
    mutating func next() throws(Malformed) -> RedisValue? {
        var failed: Int32 = 0
        let reply = unsafe sy_redis_next_reply(reader, &failed)
        guard failed == 0 else { throw Malformed() }
        guard let reply = unsafe reply else { return nil }
        defer { unsafe freeReplyObject(reply) }
        return unsafe RedisValue(reply)
    }
}

extension RedisValue {
    fileprivate init(_ reply: UnsafeMutablePointer<redisReply>) {
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_INTEGER: self = unsafe .integer(reply.pointee.integer)
        case REDIS_REPLY_STRING: self = unsafe .bytes(Self.bytes(of: reply))
        case REDIS_REPLY_STATUS: self = unsafe .status(String(decoding: Self.bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_ERROR:
            self = unsafe .error(RedisServerError(String(decoding: Self.bytes(of: reply), as: UTF8.self)))
        case REDIS_REPLY_ARRAY:
            var elements: [RedisValue] = []
            for index in 0..<Int(unsafe reply.pointee.elements) {
                let element = unsafe sy_redis_element(reply, index)
                elements.append(unsafe element.map { unsafe RedisValue($0) } ?? .null)
            }
            self = .array(elements)
        default: self = .null
        }
    }

    private static func bytes(of reply: UnsafeMutablePointer<redisReply>) -> [UInt8] {
        unsafe Array(UnsafeRawBufferPointer(start: reply.pointee.str, count: Int(reply.pointee.len)))
    }
}
