internal import SwitchyardOAuth

/// An authorization request of a tool whose callback goes to a gateway: its redirect URI is https, or below the address of a
/// gateway on loopback.
public struct ToolSignIn: Hashable, Sendable {
    /// Whole, as the tool gave it.
    public let url: String
    /// For people: the host to which the browser goes.
    public let issuerHost: String
    /// Exactly as the request has it.
    public let redirectURI: String
    public let state: String

    /// nil for any other address: also for one whose parameters two programs could read differently.
    /// - Parameter gateway: its address.
    public init?(_ text: String, gateway: String) {
        let address = String(text.prefix { $0 != "#" })
        guard address.utf8.count <= AddressJudge.maximumBytes,
            let url = try? EndpointURL(address, allowingLoopbackHTTP: true),
            let parameters = try? RequestParameters(query: Array(address.drop { $0 != "?" }.dropFirst().utf8)),
            let redirectURI = parameters["redirect_uri"], let state = parameters["state"],
            let parsed = try? RedirectURI(redirectURI)
        else { return nil }
        switch parsed.form {
        case .https: break
        case .loopback where redirectURI.hasPrefix("\(gateway)/"): break
        case .loopback, .customScheme: return nil
        }
        self.url = text
        issuerHost = url.host
        self.redirectURI = redirectURI
        self.state = state
    }

    /// The path and query of a callback; nil for an address that is not the redirect URI's.
    /// - Parameters:
    ///   - url: the callback, or the redirect URI alone where its parameters came in a form.
    ///   - parameters: of the callback.
    public static func target(
        of url: String, redirectURI: String, parameters: [(name: String, value: String)]
    ) -> String? {
        guard url.utf8.starts(with: redirectURI.utf8), let scheme = redirectURI.firstRange(of: "://") else {
            return nil
        }
        let rest = url.utf8.dropFirst(redirectURI.utf8.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "?"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else { return nil }
        let path = redirectURI[scheme.upperBound...].drop { $0 != "/" }
        let form = rest.isEmpty ? Array("?".utf8) + FormEncoding.encode(parameters) : Array(rest)
        return "\(path.isEmpty ? "/" : path)\(String(decoding: form, as: UTF8.self))"
    }
}
