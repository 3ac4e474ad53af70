/// How a JWT is signed, rightly or not.
enum SignatureManner: Sendable {
    /// With the current key, which the header names.
    case honest
    case flippedBit
    /// `alg` is `none`, and there is no signature (RFC 7518 section 3.6).
    case unsigned
    /// `alg` is `none`, with a signature nevertheless.
    case unsignedWithSignature
    /// HS256, with the public key in PEM as the secret.
    case hmacWithPEM
    /// HS256, with the public key as it stands in the JWK set as the secret.
    case hmacWithJWK
    /// With a key that nobody can know, under the current key's ID.
    case unpublishedKey
    /// With the current key, which the header does not name.
    case withoutKeyID
    /// With the current key, under an ID that no key has.
    case unknownKeyID
}
