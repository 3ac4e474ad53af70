internal import SwitchyardJSON

/// Parts of an issuer's metadata that this gateway does not have, and whether that matters here.
struct IssuerExtras {
    let name: String
    let json: JSONObject

    /// A requirement that is not built: each sign-in would fail with these words.
    private static let requirements: [(member: String, what: String, words: String)] = [
        (
            "require_pushed_authorization_requests", "authorization requests that are pushed (PAR)",
            "the issuer refuses each request with invalid_request"
        ),
        (
            "require_signed_request_object", "signed authorization requests (request objects)",
            "the issuer refuses each request with invalid_request or invalid_request_object"
        ),
        (
            "tls_client_certificate_bound_access_tokens", "access tokens that are bound to a client certificate",
            "APIs may refuse the tokens with invalid_token"
        ),
    ]

    /// Offers that no sign-in here needs.
    private static let offers: [(member: String, what: String)] = [
        ("end_session_endpoint", "sign-out at the issuer"), ("device_authorization_endpoint", "device codes"),
        ("backchannel_authentication_endpoint", "sign-in by a push to a telephone (CIBA)"),
        ("check_session_iframe", "session management"), ("backchannel_logout_supported", "back-channel sign-out"),
        ("frontchannel_logout_supported", "front-channel sign-out"),
        ("registration_endpoint", "registration of clients"),
        ("introspection_endpoint", "introspection"),
    ]

    var findings: [Finding] {
        var found = Self.requirements.filter { json[$0.member]?.bool == true }.map { requirement -> Finding in
            .error(
                .issuers, name, "it demands \(requirement.what) (\(requirement.member)), which are not built yet",
                why: requirement.words, do: "switch that off at the issuer for this client")
        }
        let offered = Self.offers.filter { offer in
            guard let value = json[offer.member], value != .null else { return false }
            return value.bool != false
        }
        if !offered.isEmpty {
            found.append(
                .ok(
                    .issuers, name,
                    "its metadata also offer \(offered.map(\.what).joined(separator: ", ")): not used here, and no sign-in needs it"
                ))
        }
        return found
    }
}
