internal import SwitchyardJSON
internal import SwitchyardOAuth

/// How the person must sign in, and for what: the wish of an API or of the app (OpenID Connect Core section 3.1.2.1,
/// RFC 9470, RFC 9396).
///
/// The ID token must tell of such a sign-in. Otherwise the request fails with `invalidIDToken` and `stepUpNotMet`.
public struct StepUpRequest: Sendable, Hashable {
    /// The acceptable authentication contexts, the preferred one first; empty for any.
    public var acrValues: [String]
    /// The most seconds since the person signed in; nil for any.
    public var maxAge: Int?
    /// `authorization_details` as JSON text: an array of objects that each have a `type`.
    public var authorizationDetails: String?

    /// Without a value a demand is not made.
    public init(acrValues: [String] = [], maxAge: Int? = nil, authorizationDetails: String? = nil) {
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.authorizationDetails = authorizationDetails
    }

    /// The demands of the first challenge with the error `insufficient_user_authentication`; nil without one, and for a
    /// header that cannot be read.
    /// - Parameter wwwAuthenticate: the value of the header field.
    public init?(wwwAuthenticate: String) {
        guard let stepUp = (try? StepUpChallenge(wwwAuthenticate))?.stepUp else { return nil }
        self.init(
            acrValues: stepUp.acrValues?.split(separator: " ").map(String.init) ?? [],
            maxAge: stepUp.maxAge.map { Int($0) })
    }

    func checked() throws(AuthenticationError) -> StepUp {
        for value in acrValues where value.isEmpty || value.contains(" ") {
            throw Self.wrong("stepUp.acrValues has \"\(value)\", which is empty or has a blank")
        }
        if let maxAge, !StepUp.ages.contains(Int64(maxAge)) {
            throw Self.wrong("stepUp.maxAge is no number of seconds from 0 to \(StepUp.ages.upperBound)")
        }
        if let authorizationDetails {
            let details = (try? JSONValue.parse(Array(authorizationDetails.utf8)))?.array ?? []
            guard !details.isEmpty, details.allSatisfy({ $0.object?["type"]?.string != nil }) else {
                throw Self.wrong("stepUp.authorizationDetails is no JSON array of objects that have a type")
            }
        }
        return StepUp(
            acrValues: acrValues.isEmpty ? nil : acrValues.joined(separator: " "), maxAge: maxAge.map { Int64($0) },
            authorizationDetails: authorizationDetails)
    }

    private static func wrong(_ message: String) -> AuthenticationError {
        AuthenticationError(.invalidParameter, .invalidParameter, message)
    }
}
