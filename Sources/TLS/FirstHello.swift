/// Collects the first message of a TLS client, before OpenSSL sees any of it. Does no I/O.
///
/// OpenSSL takes 45 KB for a session that waits for this message, and as much again as the message claims to have: up to
/// 128 KiB for a client that sent 69 bytes. So a session is made once the message is whole. Until then a connection costs
/// the bytes that have arrived, without the headers of their records.
public struct FirstHello: Sendable {
    /// The longest ClientHello, without its header. Browsers send less than 2 KiB.
    public static let maximumLength = 16 << 10

    /// The result of reading on.
    public enum Step: Hashable, Sendable {
        case incomplete
        /// The message in as few records as possible, and the bytes behind it as they came.
        case complete([UInt8])
        /// - Parameter alert: the description to send to the client (RFC 8446 section 6); nil for a peer that does not
        ///   speak TLS.
        case refused(alert: Alert?)
    }

    private static let headerLength = 4
    private static let clientHello: UInt8 = 1
    private static let longestFragment = 1 << 14

    private var records = RecordSplitter()
    /// The message, with its header.
    private var message: [UInt8] = []

    public init() {}

    /// The memory that the bytes of an unfinished message take.
    public var heldBytes: Int { message.capacity }

    /// Reads on. ``Step/complete(_:)`` and ``Step/refused(alert:)`` end the reading.
    public mutating func read(_ bytes: ArraySlice<UInt8>) -> Step {
        var rest = bytes
        while let fragment = records.next(in: &rest) {
            guard fragment.version >> 8 == 3 else { return .refused(alert: nil) }
            guard fragment.type == RecordSplitter.ContentType.handshake, fragment.recordLength > 0 else {
                return .refused(alert: .unexpectedMessage)
            }
            guard fragment.recordLength <= Self.longestFragment else { return .refused(alert: .recordOverflow) }
            message += fragment.bytes
            guard message.first ?? Self.clientHello == Self.clientHello else {
                return .refused(alert: .unexpectedMessage)
            }
            guard let length = claimedLength else { continue }
            guard length <= Self.maximumLength else { return .refused(alert: .illegalParameter) }
            let missing = Self.headerLength + length - message.count
            if missing > 0 { continue }
            // A ClientHello ends its record, because the keys may change behind it.
            guard missing == 0, fragment.endsRecord else { return .refused(alert: .unexpectedMessage) }
            return .complete(inRecords(of: fragment.version) + rest)
        }
        return .incomplete
    }

    /// The length that the header of the message names; nil until the header is whole.
    private var claimedLength: Int? {
        guard message.count >= Self.headerLength else { return nil }
        return message[1..<Self.headerLength].reduce(0) { $0 << 8 | Int($1) }
    }

    private func inRecords(of version: UInt16) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(message.count + 16)
        var rest = message[...]
        while !rest.isEmpty {
            let fragment = rest.prefix(Self.longestFragment)
            rest = rest.dropFirst(fragment.count)
            output += [
                RecordSplitter.ContentType.handshake, UInt8(version >> 8), UInt8(truncatingIfNeeded: version),
                UInt8(fragment.count >> 8), UInt8(truncatingIfNeeded: fragment.count),
            ]
            output += fragment
        }
        return output
    }
}

extension FirstHello {
    /// A fatal alert, by its description (RFC 8446 section 6).
    public enum Alert: UInt8, Sendable {
        case unexpectedMessage = 10
        case recordOverflow = 22
        case illegalParameter = 47

        /// The record that tells the client.
        var record: [UInt8] { [21, 3, 3, 0, 2, 2, rawValue] }
    }
}
