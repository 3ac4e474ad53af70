internal import SwitchyardCOpenSSL

/// A public key of Ed25519 (RFC 8032 section 5.1). A value; safe from any thread.
public struct Ed25519PublicKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// nil unless there are 32 bytes, and for the few points of a small order, with which anybody can sign anything.
    /// Whether the bytes are a point of the curve is seen when a signature is checked.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32, !Self.isOfSmallOrder(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Whether the point's order divides 8: there are five such coordinates, two of them with a second spelling.
    private static func isOfSmallOrder(_ bytes: [UInt8]) -> Bool {
        var coordinate = bytes
        // The highest bit is the sign of the other coordinate.
        coordinate[31] &= 0x7F
        let (first, last) = (coordinate[0], coordinate[31])
        let middle = coordinate[1..<31]
        if middle.allSatisfy({ $0 == 0 }), last == 0 { return first <= 1 }
        if middle.allSatisfy({ $0 == 0xFF }), last == 0x7F { return (0xEC...0xEE).contains(first) }
        return ordersOfEight.contains(coordinate)
    }

    private static let ordersOfEight: [[UInt8]] = [
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
    ]

    /// Whether this key made the signature over the message; false for bytes that are no signature.
    public func isSigner(of message: [UInt8], signature: [UInt8]) -> Bool {
        guard signature.count == 64,
            let key = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let isRight =
            unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        // An error left in the thread's queue would be taken for an error of the next TLS read.
        ERR_clear_error()
        return isRight
    }
}
