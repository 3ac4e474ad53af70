import SwitchyardCrypto

@testable import SwitchyardJOSE

/// An encrypted ID token or authorization response, read with the private key of an app.
enum JWETarget {
    /// The example key of RFC 7520 section 5.5.1.
    private static let keys = DecryptionKeys(
        [
            KeyPair(
                .p256, x: bytes("Ze2loSV3wrroKUN_4zhwGhCqo3Xhu1td4QjeQ5wIVR0"),
                y: bytes("HlLtdXARY_f55A3fnzQbPcm6hgr34Mp8p-nuzQCE0Zw"),
                scalar: Secret(bytes("r_kHyZ-a06rmxM3yESK84r1otSg-aQcVStkRhA-iCM8")))
        ].compactMap { $0.flatMap { DecryptionKeys.Key(id: "a", $0) } })

    private static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text)
        // The input as a header, before parts that are well formed: so the reader of the header is reached at once.
        try check("\(Base64URL.encode(bytes))..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA")
    }

    private static func check(_ text: String) throws(BrokenInvariant) {
        guard let opened = try? keys.open(text) else { return }
        try require(UnverifiedJWT.isEncrypted(text), "only a text of five parts opens")
        try require(!UnverifiedJWT.isEncrypted(opened.compact), "there is one layer")
        try require(opened.jws.signature?.isEmpty == false, "there is a signature inside")
    }
}
