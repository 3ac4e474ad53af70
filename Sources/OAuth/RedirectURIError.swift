/// The reason why Switchyard cannot use a text as a redirect URI. The kind is for programs, the rest is for people.
public struct RedirectURIError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reasons, in the order in which they are looked for.
    public enum Kind: Error, Hashable, Sendable, CaseIterable {
        case empty
        case tooLong
        case forbiddenCharacter
        case nonASCII
        case backslash
        case wildcard
        case fragment
        case query
        case missingScheme
        case outOfBand
        case unsafeScheme
        case missingHost
        case userinfo
        case invalidHost
        case invalidPort
        case httpNotLoopback
        case invalidPercentEncoding
        case encodedSeparator
        case emptySegment
        case dotSegment
        case reservedPath
    }

    public let kind: Kind
    /// The refused text, as it was given.
    public let text: String

    public init(_ kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    public var description: String { "redirect URI \"\(text)\" \(message)" }

    /// The fault, as the end of a sentence that begins with the URI.
    public var message: String {
        switch kind {
        case .empty: "is empty"
        case .tooLong: "is longer than \(URIParts.maximumLength) bytes"
        case .forbiddenCharacter:
            "contains a character that no URI may contain (a space, a control or one of <>\"{}|^`[])"
        case .nonASCII: "contains a character outside ASCII"
        case .backslash: "contains a backslash, which browsers read as a slash"
        case .wildcard: "contains a wildcard that is not its whole last segment, behind another segment"
        case .fragment: "has a fragment (even an empty one counts)"
        case .query: "has a query"
        case .missingScheme: "has no valid scheme"
        case .outOfBand: "is the out-of-band form, which issuers no longer serve"
        case .unsafeScheme: "has a scheme that browsers and desktops handle themselves"
        case .missingHost: "has nothing after its scheme, or no host"
        case .userinfo: "has a user name or an at sign before its host"
        case .invalidHost: "has a host that is no plain DNS name or address"
        case .invalidPort: "has a port that is no number from 1 to 65535, written without leading zeros"
        case .httpNotLoopback: "uses plain http on a host other than 127.0.0.1, [::1] and localhost"
        case .invalidPercentEncoding: "has a percent sign without two hexadecimal digits, or escapes that are no UTF-8"
        case .encodedSeparator: "has an encoded slash, backslash or percent sign in its path"
        case .emptySegment: "has an empty segment (two slashes in a row) in its path"
        case .dotSegment: "has a segment of only dots in its path"
        case .reservedPath: "has a path that belongs to the gateway itself"
        }
    }

    /// The way to mend it.
    public var remedy: String {
        switch kind {
        case .empty, .missingScheme, .missingHost:
            "write it in full, for example https://login.example.com/app/auth or msauth.com.example.app://auth"
        case .tooLong: "choose a shorter path"
        case .forbiddenCharacter, .invalidPercentEncoding: "use letters, digits and -._~ in the path"
        case .nonASCII: "write the host as an A-label (xn--…) and escape the path as UTF-8"
        case .backslash, .encodedSeparator, .emptySegment, .dotSegment:
            "write the path as plain segments, each behind one slash"
        case .wildcard:
            "list every redirect URI on its own; they are compared exactly (RFC 9700 section 2.1). Only the last segment "
                + "of an app's address at the gateway may be *: https://login.example.com/tools/codex/*"
        case .fragment: "leave out the # and what follows (RFC 6749 section 3.1.2)"
        case .query: "leave out the ? and what follows; tell apps apart by path"
        case .outOfBand: "use a loopback address, a custom scheme or an https address"
        case .unsafeScheme: "use a scheme of your own, best a domain name in reverse (RFC 8252 section 7.1)"
        case .userinfo: "leave out everything up to the at sign"
        case .invalidHost: "use a DNS name in lower case without a final dot"
        case .invalidPort: "leave the port out or correct it"
        case .httpNotLoopback: "use https"
        case .reservedPath:
            "choose a path that does not begin with \(RedirectURI.reservedPaths.joined(separator: ", "))"
        }
    }
}
