/// What the demo issuer does differently for one sign-in, because the authorization request asked for it.
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

    private static let scopePrefix = "demo:"

    /// Whether a scope is a request to misbehave, and grants nothing.
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
