/// Watches the bytes behind a client's first message for another ClientHello, which may follow a HelloRetryRequest. Does
/// no I/O and keeps no content.
///
/// OpenSSL allocates the length that such a message claims, up to 128 KiB, so a longer one must not reach OpenSSL.
///
/// Only for bytes that are not encrypted: all records of the type `handshake` in TLS 1.3. TLS 1.2 encrypts under the same
/// type, and OpenSSL refuses another ClientHello there before it allocates.
public struct LaterHello: Sendable {
    private static let headerLength = 4

    private var records = RecordSplitter()
    /// The bytes of a message's header that have arrived.
    private var headerBytes = 0
    private var type: UInt8 = 0
    private var length = 0
    /// The bytes of the message that have not arrived.
    private var missing = 0

    public init() {}

    /// Reads on.
    /// - Returns: false if a ClientHello claims more than ``FirstHello/maximumLength``.
    public mutating func permits(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let fragment = records.next(in: &rest) {
            guard fragment.type == RecordSplitter.ContentType.handshake else { continue }
            guard permits(handshake: fragment.bytes) else { return false }
        }
        return true
    }

    private mutating func permits(handshake bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            while headerBytes < Self.headerLength {
                guard let byte = rest.popFirst() else { return true }
                if headerBytes == 0 { (type, length) = (byte, 0) } else { length = length << 8 | Int(byte) }
                headerBytes += 1
            }
            if missing == 0 {
                guard type != 1 || length <= FirstHello.maximumLength else { return false }
                missing = length
            }
            let count = min(missing, rest.count)
            rest = rest.dropFirst(count)
            missing -= count
            if missing == 0 { headerBytes = 0 }
        }
        return true
    }
}
