internal import SwitchyardJSON

/// Claims that are requested by name (OpenID Connect Core section 5.5). A value: a change of a copy leaves the original
/// as it was.
public struct ClaimsRequest: Hashable, Sendable, CustomStringConvertible {
    /// The token for a claim.
    public struct Target: Hashable, Sendable {
        /// The token that the app reads.
        public static var idToken: Self { Self(rawValue: "id_token") }
        /// The token that the API reads.
        public static var accessToken: Self { Self(rawValue: "access_token") }

        /// The name in the request.
        public let rawValue: String

        fileprivate static let all = [idToken, accessToken]
    }

    /// The claims of each target by name; a claim without further wishes is null.
    private var claims: [Target: JSONObject] = [:]

    /// An empty request.
    public init() {}

    /// Reads a claims request, such as that of a claims challenge.
    /// - Throws: ``ClaimsRequestError``, naming the mistake.
    public init(json: String) throws(ClaimsRequestError) {
        guard json.utf8.count <= Self.maximumLength, let object = (try? JSONValue.parse(Array(json.utf8)))?.object
        else { throw ClaimsRequestError("the claims request is no JSON object") }
        for (name, value) in object.members {
            guard let target = Target.all.first(where: { $0.rawValue == name }) else {
                throw ClaimsRequestError("Invalid claims target: \(name)")
            }
            guard let members = value.object else {
                throw ClaimsRequestError("the claims of \(name) are no JSON object")
            }
            for (claim, wishes) in members.members { try set(claim, to: try Self.wishes(wishes, claim), in: target) }
        }
    }

    /// In bytes. A limit, because the request becomes part of an address.
    private static let maximumLength = 32 * 1024

    // MARK: Asking

    /// Makes a copy with one more claim. Replaces a claim of the same name.
    /// - Parameters:
    ///   - claim: its name.
    ///   - target: the token that gets it.
    ///   - essential: whether the app needs it to continue; nil leaves it open.
    ///   - value: the only acceptable value.
    ///   - values: the acceptable values.
    public func requesting(
        _ claim: String, in target: Target, essential: Bool? = nil, value: String? = nil, values: [String]? = nil
    ) -> ClaimsRequest {
        var wishes = JSONObject()
        wishes["essential"] = essential.map { .bool($0) }
        wishes["value"] = value.map { .string($0) }
        wishes["values"] = values.map { .array($0.map { .string($0) }) }
        var copy = self
        copy.claims[target, default: [:]][claim] = wishes.members.isEmpty ? .null : .object(wishes)
        return copy
    }

    /// The same without a claim.
    public func removing(_ claim: String, from target: Target) -> ClaimsRequest {
        var copy = self
        copy.claims[target]?[claim] = nil
        if copy.claims[target]?.members.isEmpty ?? false { copy.claims[target] = nil }
        return copy
    }

    /// Both together; where both ask for a claim, `other` says how.
    public func merging(_ other: ClaimsRequest) -> ClaimsRequest {
        var copy = self
        for (target, members) in other.claims {
            for (claim, wishes) in members.members { copy.claims[target, default: [:]][claim] = wishes }
        }
        return copy
    }

    /// A copy with the app's capabilities, as Microsoft's issuers want them: `xms_cc` of the access token. An `xms_cc`
    /// of the app's own stays.
    func adding(clientCapabilities: [String]) -> ClaimsRequest {
        guard !clientCapabilities.isEmpty else { return self }
        var wishes = claims[.accessToken]?["xms_cc"]?.object ?? [:]
        var values = wishes["values"]?.array ?? []
        for capability in clientCapabilities where !values.contains(.string(capability)) {
            values.append(.string(capability))
        }
        wishes["values"] = .array(values)
        var copy = self
        copy.claims[.accessToken, default: [:]]["xms_cc"] = .object(wishes)
        return copy
    }

    // MARK: Reading

    /// Whether no claim is requested.
    public var isEmpty: Bool { claims.isEmpty }

    /// The request as sent: compact, targets in a fixed order.
    public var json: String {
        var object = JSONObject()
        for target in Target.all { object[target.rawValue] = claims[target].map { .object($0) } }
        return String(decoding: JSONValue.object(object).serialized, as: UTF8.self)
    }

    public var description: String { json }

    private mutating func set(_ claim: String, to wishes: JSONValue, in target: Target) throws(ClaimsRequestError) {
        guard !claim.isEmpty else { throw ClaimsRequestError("a claim has no name") }
        claims[target, default: [:]][claim] = wishes
    }

    /// Reads `null`, or an object with correctly typed known members. Unknown members are kept for the issuer.
    private static func wishes(_ value: JSONValue, _ claim: String) throws(ClaimsRequestError) -> JSONValue {
        if value == .null { return value }
        guard var object = value.object else {
            throw ClaimsRequestError("the claim \(claim) is neither null nor an object")
        }
        if let essential = object["essential"] {
            // Some write a number, which is true unless it is 0.
            guard let flag = essential.bool ?? essential.integer.map({ $0 != 0 }) else {
                throw ClaimsRequestError("essential of the claim \(claim) is neither true nor false")
            }
            object["essential"] = .bool(flag)
        }
        if let values = object["values"], values.array == nil {
            throw ClaimsRequestError("values of the claim \(claim) is no array")
        }
        return object.members.isEmpty ? .null : .object(object)
    }
}

/// The reason why a text is no claims request.
public struct ClaimsRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, in words.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The way to mend it.
    public var remedy: String {
        "write a JSON object as OpenID Connect Core section 5.5 has it, with the members id_token and access_token"
    }

    /// MSAL's number for the same failure: an invalid parameter.
    public var msalInternalCode: Int { -42000 }

    public var description: String { "\(message): \(remedy)" }
}
