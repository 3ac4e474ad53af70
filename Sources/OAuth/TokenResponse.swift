public import SwitchyardCrypto
public import SwitchyardJSON
internal import SwitchyardText

/// A successful answer of a token endpoint (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3).
///
/// It prints as a placeholder. The ID token is not verified.
public struct TokenResponse: Sendable, CustomStringConvertible, CustomReflectable {
    /// All members as they came, the unknown ones too. At ``Deviations/tokenPath``, those there, and the others beside
    /// it that are no part of a token response.
    public let members: JSONObject
    public let accessToken: Secret
    /// Bearer, unless the deviation ``Deviations/acceptsAnyTokenType`` lets another one pass; nil when absent.
    public let tokenType: String?
    /// In compact form; nil when absent.
    public let idToken: String?
    public let refreshToken: Secret?
    /// nil when absent: then what was asked for is granted (RFC 6749 section 5.1).
    public let scope: Scopes?
    /// Seconds, 0 or more; nil when absent.
    public let expiresIn: Int?

    /// The token's type where it is another one than Bearer.
    public var ownType: String? { tokenType.flatMap { ASCII.equalIgnoringCase($0, "Bearer") ? nil : $0 } }

    /// Reads the content of a successful answer, strictly: names are unique, `token_type` is Bearer (in any case), and
    /// known members have valid types and characters. Some issuers send `expires_in` as a string or with a fraction, and
    /// `scope` as an array of strings; these are accepted.
    public static func parse(
        body: [UInt8], deviations: Deviations = .none, isBound: Bool = false
    ) throws(TokenResponseError) -> TokenResponse {
        guard let members = (try? JSONValue.parse(body))?.object else { throw .notAnObject }
        return try TokenResponse(members, deviations: deviations, isBound: isBound)
    }

    /// The same for an answer that has been read.
    /// - Parameter mayBeAtTop: whether the members count where ``Deviations/tokenPath`` names no object, as some
    ///   providers answer a refresh.
    /// - Parameter isBound: whether the request proved a key, so that the access token must be bound to it: `token_type`
    ///   is DPoP then.
    public init(
        _ answer: JSONObject, deviations: Deviations = .none, mayBeAtTop: Bool = false, isBound: Bool = false
    ) throws(TokenResponseError) {
        var members = try deviations.tokenMembers(of: answer, mayBeAtTop: mayBeAtTop)
        if deviations.hasNoIDTokens { members["id_token"] = nil }
        self.members = members
        // RFC 6749 appendix A: VSCHAR. A token is written into header fields and into the lines of other protocols,
        // where an issuer must not add lines or commands. An ID token is checked when it is verified.
        guard let accessToken = try members.text("access_token", of: ASCII.isPrintable) else {
            throw .missingAccessToken
        }
        self.accessToken = Secret(accessToken)
        tokenType = try members.text("token_type", of: ASCII.isPrintable)
        if isBound {
            guard tokenType.map({ ASCII.equalIgnoringCase($0, "DPoP") }) ?? false else { throw .notBound }
        }
        guard
            isBound || deviations.acceptsAnyTokenType
                || tokenType.map({ ASCII.equalIgnoringCase($0, "Bearer") }) ?? false
        else {
            throw .unsupportedTokenType
        }
        idToken = try members.text("id_token", of: { _ in true })
        refreshToken = try members.text("refresh_token", of: ASCII.isPrintable).map { Secret($0) }
        scope = try members.words("scope", of: Self.isOfScope).map { deviations.scopes(in: $0) }
        expiresIn = try members.seconds("expires_in")
    }

    /// RFC 6749 appendix A.4: NQCHAR, and the spaces between.
    private static func isOfScope(_ byte: UInt8) -> Bool {
        ASCII.isPrintable(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Deviations {
    private static let tokenMembers: Set<String> = [
        "access_token", "refresh_token", "id_token", "token_type", "expires_in", "scope",
    ]

    /// The members that a token response is read from.
    fileprivate func tokenMembers(
        of answer: JSONObject, mayBeAtTop: Bool
    ) throws(TokenResponseError) -> JSONObject {
        guard let tokenPath else { return answer }
        guard var members = tokenPath.value(in: .object(answer))?.object else {
            if mayBeAtTop, answer["access_token"] != nil { return answer }
            throw .missingTokenObject(path: tokenPath.text)
        }
        for (name, value) in answer.members where members[name] == nil && !Self.tokenMembers.contains(name) {
            // The object itself, and those around it, hold the tokens.
            if value.object == nil || !tokenPath.isBelow(name) { members[name] = value }
        }
        return members
    }

    /// Scopes as an answer has them.
    fileprivate func scopes(in text: String) -> Scopes {
        scopeSeparator == " "
            ? Scopes(parsing: text) : Scopes(parsing: String(text.map { $0 == scopeSeparator ? " " : $0 }))
    }
}

extension JSONObject {
    /// A string member; nil when it is absent, null or empty.
    fileprivate func text(
        _ name: String, of isAllowed: (UInt8) -> Bool
    ) throws(TokenResponseError) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text):
            guard text.allBytes(isAllowed) else { throw .invalidCharacter(name: name) }
            return text.isEmpty ? nil : text
        default: throw .invalidMember(name: name)
        }
    }

    /// A string, or an array of strings as one that separates them by spaces; nil when it is absent, null or empty.
    fileprivate func words(
        _ name: String, of isAllowed: (UInt8) -> Bool
    ) throws(TokenResponseError) -> String? {
        guard let values = self[name]?.array else { return try text(name, of: isAllowed) }
        var words: [String] = []
        for value in values {
            guard let word = value.string else { throw .invalidMember(name: name) }
            guard word.allBytes(isAllowed) else { throw .invalidCharacter(name: name) }
            if !word.isEmpty { words.append(word) }
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    fileprivate func seconds(_ name: String) throws(TokenResponseError) -> Int? {
        guard let value = self[name], value != .null else { return nil }
        let seconds: Double?
        switch value {
        case .integer(let whole) where whole >= 0: return Int(whole)
        case .number(let number): seconds = number
        case .string(let text):
            let text = String(text[...].trimmingSpaces())
            guard !text.isEmpty else { return nil }
            if text.allBytes(ASCII.isDigit), let whole = Int(text) { return whole }
            // Digits and one point: other forms that Swift reads, such as 0x10 and infinity, are no lifetimes.
            seconds = text.allBytes { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") } ? Double(text) : nil
        default: seconds = nil
        }
        guard let seconds, (0..<0x1p53).contains(seconds) else { throw .invalidMember(name: name) }
        return Int(seconds)
    }
}

/// The reason why the content of a token endpoint's answer is no token response. No token is in it.
public enum TokenResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No JSON object, or a name twice in one.
    case notAnObject
    case missingAccessToken
    /// The answer has no object at ``Deviations/tokenPath``.
    case missingTokenObject(path: String)
    /// `token_type` is missing or something other than Bearer.
    case unsupportedTokenType
    /// `token_type` is not DPoP, although the request proved a key.
    case notBound
    /// A member has a value of the wrong kind.
    case invalidMember(name: String)
    /// A member has a character that RFC 6749 appendix A does not allow there.
    case invalidCharacter(name: String)

    public var description: String {
        switch self {
        case .notAnObject: "the token response is no JSON object, or has a name twice"
        case .missingAccessToken: "the token response has no access_token"
        case .missingTokenObject(let path): "the token response has no object at the issuer's token_path \(path)"
        case .unsupportedTokenType:
            "the token_type of the token response is not Bearer (the issuer's deviation token_type: any lets it pass)"
        case .notBound: "the token_type of the token response is not DPoP, so the token is not bound to the key (dpop)"
        case .invalidMember(let name): "the member \(name) of the token response has a value of the wrong kind"
        case .invalidCharacter(let name):
            "the member \(name) of the token response has a character that RFC 6749 appendix A does not allow"
        }
    }
}
