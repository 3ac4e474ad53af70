import SwitchyardCrypto
import SwitchyardJSON

@testable import SwitchyardClient

/// `client_info` of a token response, encoded and decoded.
enum ClientInfoTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        try check(String(decoding: bytes, as: UTF8.self))
        try check(Base64URL.encode(bytes))
    }

    private static func check(_ encoded: String) throws(BrokenInvariant) {
        guard let info = ClientInfo(encoded) else { return }
        try require(!info.uid.isEmpty && !info.utid.isEmpty, "an account has both names")
        try require(info.uid.utf8.count + info.utid.utf8.count <= encoded.utf8.count, "names are bounded")
        let (uid, utid) = split(info.homeAccountID)
        try require(
            uid.elementsEqual(info.uid.utf8) && utid.elementsEqual(info.utid.utf8),
            "a home account id is of one account")
        let object: JSONValue = ["uid": .string(info.uid), "utid": .string(info.utid)]
        let written = Base64URL.encode(object.serialized)
        guard written.utf8.count < 8192 else { return }
        try require(ClientInfo(written) == info, "client_info that is written back is the same")
        try require(ClientInfo(written + "=") == info, "padding says nothing")
    }

    /// Splits at the last dot, because a directory's name has no dot.
    private static func split(_ id: String) -> (uid: [UInt8], utid: [UInt8]) {
        let bytes = Array(id.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return (bytes, []) }
        return (Array(bytes[..<dot]), Array(bytes[(dot + 1)...]))
    }
}
