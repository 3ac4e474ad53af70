/// The curves of NIST that signatures and key agreements use here (RFC 7518 section 6.2.1.1).
package enum Curve: String, CaseIterable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// The size in bytes of a coordinate, and of each half of a signature.
    package var size: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}

/// The kinds of asymmetric keys.
package enum KeyKind: Hashable, Sendable {
    case rsa
    case ec(Curve)
    case ed25519
}

/// The numbers that make up a public key, the most significant byte first.
package enum PublicNumbers: Hashable, Sendable {
    /// Both without zeros in front.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// Each coordinate with the curve's size.
    case ec(Curve, x: [UInt8], y: [UInt8])
    /// The 32 bytes of RFC 8032 section 5.1.5.
    case ed25519([UInt8])

    package var kind: KeyKind {
        switch self {
        case .rsa: .rsa
        case .ec(let curve, _, _): .ec(curve)
        case .ed25519: .ed25519
        }
    }

    /// The size in bits of a number without zeros in front.
    package static func bits(_ number: [UInt8]) -> Int {
        number.count * 8 - (number.first?.leadingZeroBitCount ?? 0)
    }
}
