internal import SwitchyardText

/// Scopes in their order, each once: names that differ only in case are one scope, the first spelling stays.
///
/// RFC 6749 section 3.3 calls scopes case-sensitive; issuers in the field answer in another case than they were asked.
public struct Scopes: Hashable, Sendable, CustomStringConvertible {
    /// The scopes that steer the sign-in itself. They are never declined, since issuers do not report them reliably.
    public static let reserved = Scopes(parsing: "openid profile email offline_access")

    /// The further scopes for tokens that are kept: for the account, and for a refresh token.
    public static let forKeptTokens = Scopes(parsing: "openid profile offline_access")

    public let names: [String]

    /// Reads names between spaces; empty ones are dropped. For an issuer's answer, which is stored unchanged.
    public init(parsing text: String) {
        var names: [String] = []
        names.reserveCapacity(4)
        var rest = text[...]
        while let start = rest.utf8.firstIndex(where: { $0 != UInt8(ascii: " ") }) {
            let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
            names.append(String(rest[start..<end]))
            rest = rest[end...]
        }
        self.init(names)
    }

    /// Each once.
    private init(_ all: [String]) {
        var names: [String] = []
        names.reserveCapacity(all.count)
        // Comparing a few is quicker than hashing them. With many, an attacker could keep us busy.
        if all.count <= 8 {
            for name in all where !names.contains(where: { ASCII.equalIgnoringCase($0, name) }) { names.append(name) }
        } else {
            var seen: Set<String> = []
            names = all.filter { seen.insert($0.asciiLowercased).inserted }
        }
        self.names = names
    }

    /// The same for what an app or a configuration asks for: nil when a name has a character that RFC 6749 section 3.3
    /// does not allow (anything but printable ASCII without `"` and `\`).
    public init?(validating text: String) {
        let allowed = text.allBytes { byte in
            (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        guard allowed else { return nil }
        self.init(parsing: text)
    }

    public var isEmpty: Bool { names.isEmpty }

    /// The scopes as sent: separated by single spaces.
    public var text: String { names.joined(separator: " ") }

    public var description: String { text }

    /// Whether the scope is in here, in any case of letters.
    public func contains(_ name: String) -> Bool {
        names.contains { ASCII.equalIgnoringCase($0, name) }
    }

    /// The scopes that an issuer granted when `requested` was asked for. Some issuers, such as GitHub, separate by
    /// commas. A comma may be part of a scope (RFC 6749 section 3.3), so commas separate only where no requested scope
    /// has one.
    public func granted(for requested: Scopes) -> Scopes {
        let comma = UInt8(ascii: ",")
        guard names.contains(where: { $0.utf8.contains(comma) }),
            !requested.names.contains(where: { $0.utf8.contains(comma) })
        else { return self }
        return Scopes(names.flatMap { $0.utf8.split(separator: comma).map { String(Substring($0)) } })
    }

    /// The scopes of these that are missing in `granted`, in this order and spelling, without ``reserved`` ones.
    ///
    /// `{resource}/.default` asks for all that has been consented to already, so every granted scope that is not
    /// reserved satisfies it.
    public func declined(grantedBy granted: Scopes) -> Scopes {
        let anyGranted = granted.names.contains { !Scopes.reserved.contains($0) }
        // An issuer may grant as many as its answer has room for: each is looked at once.
        let asked = Set(names.map { $0.asciiLowercased })
        let answered = Set(granted.names.lazy.map { $0.asciiLowercased }.filter(asked.contains))
        return Scopes(
            names.filter { name in
                let name = name.asciiLowercased
                if Scopes.reserved.contains(name) || answered.contains(name) { return false }
                return !(anyGranted && name.hasSuffix("/.default"))
            })
    }
}
