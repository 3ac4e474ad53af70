internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardText

/// A request's demands on the authentication itself: the way, the time and the purpose of the sign-in (OpenID Connect
/// Core section 3.1.2.1, RFC 9396, RFC 9470).
public struct StepUp: Hashable, Sendable {
    public static let none = StepUp()

    /// The acceptable authentication contexts (`acr_values`), separated by spaces, the preferred one first; nil for any.
    public var acrValues: String?
    /// The most seconds since the person authenticated (`max_age`); nil for any.
    public var maxAge: Int64?
    /// `authorization_details` as JSON text; nil without any.
    public var authorizationDetails: String?

    public init(acrValues: String? = nil, maxAge: Int64? = nil, authorizationDetails: String? = nil) {
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.authorizationDetails = authorizationDetails
    }

    /// The names of its parameters in an authorization request.
    public static let names: Set<String> = ["acr_values", "max_age", "authorization_details"]

    /// Its parameters in an authorization request.
    public var fields: [FormField] {
        let all = [
            ("acr_values", acrValues), ("max_age", maxAge.map(String.init)),
            ("authorization_details", authorizationDetails),
        ]
        return all.compactMap { name, value in value.map { FormField(name, $0) } }
    }

    /// Reads back ``fields`` among the other parameters of a request.
    public init(in parameters: [FormField]) {
        for parameter in parameters {
            switch parameter.name {
            case "acr_values": acrValues = parameter.value
            case "max_age": maxAge = Int64(parameter.value)
            case "authorization_details": authorizationDetails = parameter.value
            default: break
            }
        }
    }

    /// Seconds by which the issuer's clock may differ from ours.
    static let tolerance: Int64 = 60

    /// Judges the claims of an ID token with its issuer's signature.
    /// - Parameter arrival: when the callback came, in seconds since 1970. A code may be held after that, and then the
    ///   authentication grows older through no fault of the person.
    func check(_ claims: JSONObject, arrival: Int64) throws(IDTokenError) {
        if let acrValues {
            let accepted = acrValues.split(separator: " ")
            guard let context = claims["acr"]?.string, accepted.contains(where: { context.isExactly($0) }) else {
                throw .mismatch(.wrongAuthenticationContext, claims["acr"], acrValues)
            }
        }
        if let maxAge {
            guard let time = claims[numericDate: "auth_time"], time <= arrival + Self.tolerance,
                time >= arrival - maxAge - Self.tolerance
            else { throw IDTokenError(.authenticationTooOld) }
        }
    }
}
