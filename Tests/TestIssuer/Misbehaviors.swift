internal import SwitchyardCrypto

/// The issuer's misbehaviors in one sign-in, as the authorization request asked for them.
struct Misbehaviors: Sendable {
    var authorization: Set<AuthorizationMisbehavior> = []
    var signedResponse: Set<SignedResponseMisbehavior> = []
    var tokenAnswer: Set<TokenAnswerMisbehavior> = []
    var tokenResponse: Set<TokenResponseMisbehavior> = []
    var idToken: Set<IDTokenMisbehavior> = []
    var lifetimes = TokenLifetimes()

    /// All names, by where they show.
    static let names: [(place: String, names: [String])] = [
        ("authorization response", AuthorizationMisbehavior.allCases.map(\.rawValue)),
        ("signed authorization response", SignedResponseMisbehavior.allCases.map(\.rawValue)),
        ("answer of the token endpoint", TokenAnswerMisbehavior.allCases.map(\.rawValue)),
        ("token response", TokenResponseMisbehavior.allCases.map(\.rawValue)),
        ("ID token", IDTokenMisbehavior.allCases.map(\.rawValue)),
        ("lifetimes", TokenLifetimes.Name.allCases.map { "\($0.rawValue)=SECONDS" }),
    ]

    static let scopePrefix = "demo:"

    /// Whether a scope asks for misbehavior. It grants no right.
    static func isRequested(byScope scope: String) -> Bool { scope.hasPrefix(scopePrefix) }

    init() {}

    /// All that a request asks for: by the parameter `demo`, comma-separated, and by scopes `demo:…`.
    /// - Returns: nil when one of the names is unknown.
    init?(parameter: String?, scopes: [String]) {
        var names = parameter.map { $0.split(separator: ",") } ?? []
        names += scopes.filter(Self.isRequested).flatMap { $0.dropFirst(Self.scopePrefix.count).split(separator: ",") }
        for name in names {
            guard insert(String(name)) else { return nil }
        }
    }

    /// These and those of another request.
    func merging(_ other: Misbehaviors) -> Misbehaviors {
        var all = self
        all.authorization.formUnion(other.authorization)
        all.signedResponse.formUnion(other.signedResponse)
        all.tokenAnswer.formUnion(other.tokenAnswer)
        all.tokenResponse.formUnion(other.tokenResponse)
        all.idToken.formUnion(other.idToken)
        all.lifetimes.merge(other.lifetimes)
        return all
    }

    /// Whether the name is one that is known.
    private mutating func insert(_ name: String) -> Bool {
        if let one = AuthorizationMisbehavior(rawValue: name) {
            authorization.insert(one)
        } else if let one = SignedResponseMisbehavior(rawValue: name) {
            signedResponse.insert(one)
        } else if let one = TokenAnswerMisbehavior(rawValue: name) {
            tokenAnswer.insert(one)
        } else if let one = TokenResponseMisbehavior(rawValue: name) {
            tokenResponse.insert(one)
        } else if let one = IDTokenMisbehavior(rawValue: name) {
            idToken.insert(one)
        } else {
            return lifetimes.insert(name)
        }
        return true
    }
}

/// At the authorization endpoint.
enum AuthorizationMisbehavior: String, Sendable, CaseIterable {
    /// Consent is taken for granted. It goes together with any other.
    case auto
    /// Answers `access_denied` at once.
    case deny
    /// Answers as Microsoft's issuers do when the person gives up: `access_denied` with `error_subcode` `cancel`.
    case cancel
    /// Leaves `iss` out of the authorization response (RFC 9207).
    case noIss = "no_iss"
    /// Names another issuer, as in a mix-up attack (RFC 9700 section 4.4).
    case wrongIss = "wrong_iss"
    case noState = "no_state"
    case wrongState = "wrong_state"
}

extension Set<AuthorizationMisbehavior> {
    /// Makes the parameters of an authorization response wrong.
    func apply(to parameters: inout [(String, String)]) {
        if contains(.noState) {
            parameters.removeAll { $0.0 == "state" }
        } else if contains(.wrongState), let index = parameters.firstIndex(where: { $0.0 == "state" }) {
            parameters[index].1 = Random.token()
        }
        if contains(.noIss) || contains(.wrongIss) { parameters.removeAll { $0.0 == "iss" } }
        if contains(.wrongIss) { parameters.append(("iss", "https://issuer.invalid")) }
    }
}

/// How long tokens are good, where a request asks for something else than usual: `expires_in=60`. In seconds.
struct TokenLifetimes: Sendable {
    /// The misbehaviors of token responses, by their names.
    enum Name: String, Sendable, CaseIterable {
        case expiresIn = "expires_in"
        /// When to refresh although the token is still good.
        case refreshIn = "refresh_in"
        /// How long the token is taken while the issuer is out of reach.
        case extendedExpiresIn = "ext_expires_in"
    }

    private(set) var seconds: [Name: Int64] = [:]

    /// Ten years at most.
    private static let range: ClosedRange<Int64> = 0...315_360_000

    /// Whether the text is one of them, with a number from 0 to ten years.
    mutating func insert(_ text: String) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Name(rawValue: String(parts[0])), let value = Int64(parts[1]),
            Self.range.contains(value)
        else { return false }
        seconds[name] = value
        return true
    }

    /// Those of `other` win.
    mutating func merge(_ other: TokenLifetimes) {
        seconds.merge(other.seconds) { $1 }
    }
}
