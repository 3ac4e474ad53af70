internal import SwitchyardCrypto
internal import SwitchyardJSON

/// `client_info` of Microsoft's issuers: the person's account in the directory that it belongs to.
struct ClientInfo: Hashable, Sendable {
    let uid: String
    let utid: String

    /// `uid.utid`
    var homeAccountID: String { "\(uid).\(utid)" }

    /// nil unless it is base64url with a JSON object that has both, not empty. A directory's name has no dot:
    /// ``homeAccountID`` would be that of other people too.
    init?(_ encoded: String) {
        guard encoded.utf8.count <= 8192, let bytes = Base64URL.decode(encoded.withoutPadding),
            let object = (try? JSONValue.parse(bytes))?.object, let uid = object["uid"]?.string,
            let utid = object["utid"]?.string, !uid.isEmpty, !utid.isEmpty,
            !utid.utf8.contains(UInt8(ascii: "."))
        else { return nil }
        self.uid = uid
        self.utid = utid
    }
}

extension String {
    fileprivate var withoutPadding: String {
        var text = self[...]
        while text.hasSuffix("=") { text.removeLast() }
        return String(text)
    }
}
