internal import SwitchyardCrypto
internal import SwitchyardText

/// The name of a cache, in the form that file names and keyring attributes use: no name reaches another directory, and
/// no two names meet.
struct CacheName: Sendable, Equatable {
    let safe: String

    /// A name of 1 to 64 letters, digits, `.`, `-` and `_` that does not begin with a dot stays as it is. Any other
    /// becomes `~` and its SHA-256 in base64url.
    init(_ name: String) {
        let isSafe =
            (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || ".-_".utf8.contains($0) }
        safe = isSafe ? name : "~" + Base64URL.encode(SHA256Digest(of: name).bytes)
    }

    // The ending tells the kind, so that no name can stand for another one's file.
    var document: String { safe + ".sealed" }
    var unfinished: String { safe + ".unfinished" }
    var lock: String { safe + ".lock" }
    var turn: String { safe + ".turn" }
    func setAside(_ mark: String) -> String { "\(safe).set-aside-\(mark)" }
}

/// A mark for something set aside: the time, for people, and random characters, so that no two are the same.
enum SetAsideSuffix {
    /// Such as `20260102T030405Z-x4Fq0_p1Lm2c`, in UTC.
    static func next() -> String {
        "\(ISODate.compact(seconds: WallTime.now().seconds))-\(Random.token(byteCount: 9))"
    }
}
