internal import SwitchyardCrypto

/// The name of a cache, in the form that file names and keyring attributes use: no name reaches another directory, and
/// no two names meet.
struct CacheName: Sendable, Equatable {
    let safe: String

    /// A name of 1 to 64 letters, digits, `.`, `-` and `_` that does not begin with a dot stays as it is. Any other
    /// becomes `~` and its SHA-256 in base64url.
    init(_ name: String) {
        let isSafe =
            (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        safe = isSafe ? name : "~" + Base64URL.encode(SHA256Digest(of: name).bytes)
    }

    // The ending tells the kind, so that no name can stand for another one's file.
    var document: String { safe + ".sealed" }
    var unfinished: String { safe + ".unfinished" }
    var lock: String { safe + ".lock" }
    var turn: String { safe + ".turn" }
    func setAside(_ mark: String) -> String { "\(safe).set-aside-\(mark)" }
}
