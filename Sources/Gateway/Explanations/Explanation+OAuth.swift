extension Explanation {
    /// The explanation of an error that an unsigned callback brought: the issuer may have sent it, and so may any party
    /// that began the sign-in.
    var asToldByCallback: Explanation {
        Explanation(
            kind, name,
            (
                "\(cause); so the callback said, which nobody has signed",
                "Does the issuer's sign-in log have it, at that time? If not, somebody has written it into the address, and nothing is wrong at the issuer. If it does: \(remedy)"
            ))
    }
}

/// The errors of issuers that a standard, or many issuers, have names for. Only these are kept in histories: any other
/// name is an issuer's text.
enum OAuthErrorName: String, CaseIterable, Sendable {
    // RFC 6749 sections 4.1.2.1 and 5.2.
    case accessDenied = "access_denied"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case serverError = "server_error"
    case temporarilyUnavailable = "temporarily_unavailable"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case unsupportedResponseType = "unsupported_response_type"
    // RFC 8707, RFC 9449 and RFC 9470.
    case invalidTarget = "invalid_target"
    case invalidProof = "invalid_dpop_proof"
    case useNonce = "use_dpop_nonce"
    case insufficientAuthentication = "insufficient_user_authentication"
    // OpenID Connect Core section 3.1.2.6.
    case accountSelectionRequired = "account_selection_required"
    case consentRequired = "consent_required"
    case interactionRequired = "interaction_required"
    case loginRequired = "login_required"
    case invalidRequestObject = "invalid_request_object"
    case invalidRequestURI = "invalid_request_uri"
    case registrationNotSupported = "registration_not_supported"
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
    // RFC 8628 and OpenID's unmet authentication requirements.
    case slowDown = "slow_down"
    case unmetRequirements = "unmet_authentication_requirements"

    var explanation: Explanation { Explanation(.oauth, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .accessDenied:
            (
                "the person, or a rule of the issuer, said no",
                "If the person did not say no: may this person use the client, and with these scopes? The issuer's sign-in log names the rule."
            )
        case .invalidClient:
            (
                "the issuer does not know the client, or not by this authentication",
                "Compare client_id, client_secret (or the key) and token_endpoint_auth_method with the registration; has the secret expired?"
            )
        case .invalidGrant:
            (
                "the code, or the refresh token, is used, too old, taken back, or another client's",
                "Begin again. If it comes back, compare the redirect URI with the registration; does somebody else redeem the same callbacks?"
            )
        case .invalidRequest:
            (
                "a parameter is missing, stands twice or makes no sense to the issuer",
                "Compare client_id and redirect URI with the registration, and leave out extra_parameters that the issuer does not know."
            )
        case .invalidScope:
            (
                "a scope does not exist, or is not for this client",
                "Compare the app's default_scope, and what it asks for itself, with what the issuer offers."
            )
        case .serverError:
            ("the issuer failed", "Try again; look at the issuer's status page if it lasts.")
        case .temporarilyUnavailable:
            ("the issuer is overloaded or in maintenance", "Try again in a while.")
        case .unauthorizedClient:
            (
                "the client may not ask in this way",
                "Allow the client the authorization code grant at the issuer; a client for other apps or other people needs another registration."
            )
        case .unsupportedGrantType:
            (
                "the token endpoint does not take this kind of grant",
                "Allow authorization_code, and refresh_token, for the client; is token_endpoint the right one?"
            )
        case .unsupportedResponseType:
            ("the issuer does not give codes to this client", "Allow the response type `code` for the client.")
        case .invalidTarget:
            (
                "the issuer does not know the resource that was asked for",
                "Compare `resource` in extra_parameters with what the issuer offers."
            )
        case .invalidProof:
            (
                "the proof of possession does not hold",
                "Compare the machines' clocks; a proof is for one call at one address."
            )
        case .useNonce:
            (
                "the issuer wants its nonce in the proof of possession",
                "The client has to take the nonce from the answer and ask again."
            )
        case .insufficientAuthentication:
            (
                "the issuer wants a stronger, or a fresher, sign-in",
                "Begin again with what the challenge asks for (acr_values, max_age)."
            )
        case .accountSelectionRequired:
            (
                "several accounts are signed in, and nobody was there to choose",
                "Begin again without prompt=none, or with a login_hint."
            )
        case .consentRequired:
            (
                "the person, or an administrator, has not consented to the scopes",
                "Begin again without prompt=none, or have an administrator consent."
            )
        case .interactionRequired:
            ("the issuer has something to ask, and nobody was there", "Begin again without prompt=none.")
        case .loginRequired: ("nobody is signed in at the issuer in this browser", "Begin again without prompt=none.")
        case .invalidRequestObject:
            (
                "the signed request does not verify at the issuer",
                "Compare the first of `signing_keys` with the key that is registered at the issuer (`/clients/ID/keys`), and both clocks; or set `request_object: off`."
            )
        case .invalidRequestURI:
            (
                "what was pushed to the issuer is too old, or not the client's",
                "Begin again, and continue within a minute or so."
            )
        case .registrationNotSupported:
            ("the issuer registers no clients in this way", "Leave `registration` out of extra_parameters.")
        case .requestNotSupported:
            (
                "the issuer takes no request object",
                "Set `request_object: off` for this app."
            )
        case .requestURINotSupported:
            (
                "the issuer takes no pushed request",
                "Set `par: off` for this app. If the issuer requires pushed requests, tell its operator."
            )
        case .slowDown: ("the client asks too often", "Wait longer between two calls.")
        case .unmetRequirements:
            (
                "the person could not sign in as strongly as was asked for",
                "Offer the person such a way to sign in, or ask for less (acr_values)."
            )
        }
    }
}
