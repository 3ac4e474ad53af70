internal import SwitchyardHTTP
internal import SwitchyardHandlers

extension CallbackOutcome {
    var explanation: Explanation {
        var explanation = Explanation(.callback, name, words)
        switch self {
        case .refused(let problem):
            // Sent on to a page of the sign-in that says so.
            explanation.page = problem == .anotherBrowser ? 303 : problem.refusal.status.code
            explanation.relayRefusal = problem == .unavailable ? nil : problem.relayRefusal.rawValue
        case .plain(.notMine): (explanation.page, explanation.relayRefusal) = (404, RelayRefusal.notMine.rawValue)
        case .plain(.wrongMethod): explanation.page = 405
        case .plain(.limited): explanation.page = 429
        case .plain(.prefetch): explanation.page = 503
        case .plain(.accepted): explanation.page = 303
        case .plain(.repeated):
            (explanation.page, explanation.relayRefusal) = (303, RelayRefusal.alreadyConsumed.rawValue)
        }
        return explanation
    }

    private var words: Explanation.Words {
        switch self {
        case .plain(.accepted): ("the callback was given its request", "No action is needed.")
        case .plain(.repeated):
            (
                "the same callback came before, and got the first one's outcome",
                "No action is needed: the page was reloaded, or the browser sent it twice."
            )
        case .refused(let problem): problem.words
        case .plain(.notMine):
            (
                "the address is no redirect URI of this gateway",
                "Compare it with the redirect URIs that `switchyard check` prints: host, path and case, byte for byte. Does the proxy change the path or the Host?"
            )
        case .plain(.prefetch):
            (
                "no person went there: HEAD, a prefetch, or a page that loads it as an image, in a frame or by fetch",
                "No action is needed: the callback was not used up."
            )
        case .plain(.wrongMethod):
            (
                "a redirect URI was called by a method that it does not take",
                "If it was a POST, the issuer answers by form_post: set the app's `response_mode: form_post`, or have the issuer answer by query."
            )
        case .plain(.limited):
            (
                "its sender brings more callbacks than its share (callback_rate)",
                "If it is a proxy's address, list it in trusted_proxies; else raise `limits: callback_rate`, if so many people share the address."
            )
        }
    }
}

extension CallbackError {
    fileprivate var words: Explanation.Words {
        switch self {
        case .malformed:
            (
                "it could not be read, or its parameters contradict each other",
                "Begin again. If the issuer's own callbacks look so, does a proxy or a mail filter rewrite addresses?"
            )
        case .duplicateParameter:
            (
                "a parameter came twice, or in both the query and the content",
                "Begin again. The redirect URI at the issuer must have no query of its own with such a name; else somebody put the address together."
            )
        case .missingState:
            (
                "it has no `state`, so nobody asked for it",
                "Begin in the program. A link or a portal's tile begins no sign-in here: the issuer's own start pages do not work."
            )
        case .missingCode:
            (
                "it has neither `code` nor `error`",
                "Begin again. If the issuer answers by fragment, set the app's `response_mode: fragment`; ask for response_type code only."
            )
        case .tooLarge:
            (
                "it is larger than a callback may be (request_line_bytes, header_bytes, body_bytes)",
                "Begin again; if the browser sends very many cookies, delete those of this host. If the issuer's answer is that large, use form_post or raise the limit."
            )
        case .wrongResponseMode:
            (
                "it came in another way than the app's `response_mode` asks for",
                "Set `response_mode` to what the issuer does, or the issuer to what the app's `response_mode` says."
            )
        case .unknownState:
            (
                "no request has its `state`: nobody asked for it, it was forgotten, or another gateway has it",
                "Begin again in the program. If it happens to all: do the gateways share one store, was the gateway restarted with `store: memory`, does the proxy keep the query?"
            )
        case .wrongRedirectURI:
            (
                "its `state` belongs to a request of another redirect URI",
                "Does the proxy map one path to another, or does the client at the issuer have one redirect URI for several apps? Otherwise somebody tries to mix sign-ins up."
            )
        case .wrongIssuer:
            (
                "`iss` names another issuer than the one that was asked, or is missing although that one always sends it",
                "Compare `issuer` in the configuration with the `issuer` in its metadata, byte for byte. If they agree, it is somebody else's answer (a mix-up attack)."
            )
        case .responseNotTrusted:
            (
                "it is a signed response (JARM) that does not verify",
                "The log says why (response_not_trusted): compare client_id, the issuer's keys and both machines' clocks."
            )
        case .anotherBrowser:
            (
                "it came in another browser than the one that started (require_start)",
                "Open the link in the browser in which the issuer asks; do not copy addresses. Begin again if that does not help."
            )
        case .foreignRelay:
            (
                "the user that relayed it may not (relay_from, or another user than the one that began)",
                "Relay over the Unix socket as the user that began, or list the caller in the app's `relay_from`."
            )
        case .expired:
            (
                "its request is over: it took longer than request_lifetime",
                "Begin again. If people need longer, make `limits: request_lifetime` longer."
            )
        case .canceled: ("the app had given its request up", "Begin again. Nothing is wrong with the configuration.")
        case .replayed:
            (
                "its `state` was used before, with another code",
                "Begin again. If the person has not gone back in the browser, somebody has tried to put in another code: look at `from` in the log."
            )
        case .unavailable:
            (
                "the gateway could not judge it: the store or the issuer was out, or there was no room",
                "Reload the page: nothing was used up. Look at store_failed and issuer_failing in the log, and at /readyz."
            )
        }
    }
}

extension RelayRefusal {
    var explanation: Explanation { Explanation(.relay, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .notMine:
            (
                "the string is at no redirect URI that may be relayed, or the caller may not relay it",
                "Only custom schemes and loopback addresses are relayed. With a release other than none, relay over the Unix socket as the user that began."
            )
        case .noPendingRequest:
            ("no request waits for it", "Begin again; was the gateway restarted with `store: memory`?")
        case .alreadyConsumed:
            ("it has been taken before", "No action is needed; to sign in again, start again from the app.")
        case .stateMismatch:
            (
                "its `state` belongs to a request of another redirect URI",
                "Begin again; compare the app's redirect URIs with the registration."
            )
        case .expired: ("its request is over", "Begin again.")
        case .malformed: ("it is no callback, or not one that can be believed", "The log says what was wrong with it.")
        }
    }
}

/// `error` in an answer of the API or of the admin listener.
enum APIErrorName: String, CaseIterable, Sendable {
    case accessDenied = "access_denied"
    case accountRequired = "account_required"
    case authorizationFailed = "authorization_failed"
    case cacheFailed = "cache_failed"
    case gatewayFailed = "gateway_failed"
    case insufficientDeviceStrength = "insufficient_device_strength"
    case passwordResetRequired = "password_reset_required"
    case workplaceJoinRequired = "workplace_join_required"
    case expired
    case invalidClient = "invalid_client"
    case invalidCode = "invalid_code"
    case invalidConfiguration = "invalid_configuration"
    case invalidProof = "invalid_dpop_proof"
    case invalidRequest = "invalid_request"
    case invalidScope = "invalid_scope"
    case invalidToken = "invalid_token"
    case notFound = "not_found"
    case notSupportedYet = "not_supported_yet"
    case serverError = "server_error"
    case slowDown = "slow_down"
    case temporarilyUnavailable = "temporarily_unavailable"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedTokenType = "unsupported_token_type"
    case notAResource = "not_a_resource"
    case resourceNotAllowed = "resource_not_allowed"
    case issuerNotAllowed = "issuer_not_allowed"
    case clientRequired = "client_required"
    case noPKCE = "no_pkce"
    case discoveryFailed = "discovery_failed"

    var explanation: Explanation { Explanation(.answer, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .accessDenied:
            (
                "the caller may not do this here: a page called the API, a user who is not the operator asked for a reload, the result is asked for at another place than the one that began, or an agent's app lets only other programs (use_from)",
                "Call from a program, at the place that began; reload as root or as the gateway's own user; list the program in use_from: the log says as what it was seen (use_refused)."
            )
        case .accountRequired:
            (
                "an agent has tokens of several accounts for this app, and the call names none",
                "Name one of `accounts` in the answer as `account`; `switchyard accounts` lists them."
            )
        case .notAResource:
            (
                "the address is of no protected resource: it has no metadata (RFC 9728), they are another resource's, or a challenge names a place that does not count",
                "Ask the address itself: its 401 and `/.well-known/oauth-protected-resource` say whether it is one. If its metadata are elsewhere, name the place as `metadata` of the entry."
            )
        case .resourceNotAllowed:
            (
                "no entry of `resources: allow` covers the address",
                "The operator lists the resource, or a part that its address begins with."
            )
        case .issuerNotAllowed:
            (
                "the resource names no authorization server that may be used: none by https, another than the entry's client is registered with, another than that of the token, or one whose metadata are another issuer's",
                "Look at `authorization_servers` in the resource's metadata; compare it with `client: issuer` of the entry, and with `issuer` in the server's own metadata, byte for byte."
            )
        case .clientRequired:
            (
                "the authorization server takes neither a client document nor a registration, or refused the last registered client",
                "Register a client there by hand, with the redirect URI that `switchyard check` shows, and name it as `client` of the entry."
            )
        case .noPKCE:
            (
                "the authorization server does not say that it takes S256 challenges",
                "Its operator has to announce `code_challenge_methods_supported` with S256; nobody signs in there before."
            )
        case .discoveryFailed:
            (
                "a document of the resource or of its authorization server could not be had; `error_description` has its address, and its status",
                "Ask the address from the gateway's machine. A host that is private or loopback has to be named in `resources: allow`."
            )
        case .authorizationFailed:
            (
                "the issuer refused with an error of its own, which `error_description` has",
                "Look the issuer's words up in its documentation, and the sign-in in its log."
            )
        case .gatewayFailed:
            (
                "the gateway that the app signs in through answered what is no answer",
                "Compare the gateway's address with its public_url; does a proxy answer in its place?"
            )
        case .insufficientDeviceStrength:
            (
                "a policy of the issuer wants another device than this one",
                "Sign in on a device that meets the policy, or take app or people out of it."
            )
        case .passwordResetRequired:
            ("the issuer wants the password to be changed first", "The person resets the password, and signs in again.")
        case .workplaceJoinRequired:
            (
                "a policy of the issuer wants a device that is joined to the directory",
                "Sign in on such a device, or take app or people out of the policy."
            )
        case .cacheFailed:
            (
                "an agent cannot read the user's tokens: the keyring or the disk does not give them",
                "Unlock the keyring. `switchyard doctor --desktop` looks at it."
            )
        case .expired:
            ("the request is over, and nobody collected its result in time", "Begin again, and collect sooner.")
        case .invalidClient:
            (
                "the app's begin_from asks for an API key, and none came",
                "Send `Authorization: Bearer` with the app's API key."
            )
        case .invalidCode:
            (
                "the release code, or the ticket, is wrong",
                "Type the code that your own browser shows; `attempts_left` says how often it may be tried."
            )
        case .invalidConfiguration:
            (
                "the configuration that was to be reloaded has errors; the old one stays",
                "`switchyard check` says where."
            )
        case .invalidProof:
            (
                "the request was begun with result_proof, and the DPoP proof of this call is missing or wrong",
                "Make a fresh proof for each call with the key of result_key; compare the clocks."
            )
        case .invalidRequest:
            ("the call is not as it should be", "`error_description` says what, and `parameter` which field.")
        case .invalidScope: ("`scope` is no list of scopes", "Separate scopes by single spaces (RFC 6749 section 3.3).")
        case .invalidToken:
            ("the call brings no result token", "Send `Authorization: Bearer` with the result_token of the begin.")
        case .notFound:
            (
                "there is no such thing, or it is somebody else's",
                "Compare the id and the result token; an outcome that was acknowledged is gone, and so is all after a restart with `store: memory`."
            )
        case .notSupportedYet:
            ("a known key whose value this version does not serve", "Leave it out, or take a newer version.")
        case .serverError: ("the gateway could not do its part", "Look at the log at that time.")
        case .slowDown:
            (
                "the caller is over one of its limits",
                "Wait as long as Retry-After says; the log says which limit (limited)."
            )
        case .temporarilyUnavailable:
            (
                "the store or the issuer cannot be reached now, or there is no room",
                "Try again as Retry-After says. Look at store_failed, issuer_failing and limited in the log."
            )
        case .unauthorizedClient:
            (
                "the app's begin_from does not let this caller begin",
                "List the caller's user, network or certificate in begin_from; the log says as whom it was seen (begin_refused)."
            )
        case .unsupportedTokenType:
            (
                "the app's issuer does not revoke such tokens: it names no revocation_endpoint, or refuses",
                "Forget the token; it ends by itself."
            )
        }
    }
}

extension DeliveryResult {
    var explanation: Explanation { Explanation(.delivery, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .ok: ("the app took the callback", "No action is needed.")
        case .refused:
            (
                "the app, or its server, said that it does not take the callback",
                "Look into the app's own log. A webhook wants an answer with a status from 200 to 299, a socket "
                    + "{\"handled\":true}."
            )
        case .unreachable:
            (
                "nobody is there: nobody listens on the socket, nobody has the name on the session bus and no program is known "
                    + "for it, the program cannot be started, or the server cannot be reached",
                "Start the app, and compare the socket's path, the name, the program or the URL with what `switchyard check` "
                    + "shows."
            )
        case .timedOut:
            (
                "nothing was heard in time: 10 seconds from an app that runs, 30 from one that has to start, for a webhook the "
                    + "life of a request",
                "The app hangs, does not read its socket, or does not fetch its ticket (POST /v1/tickets). It may have the "
                    + "callback all the same."
            )
        case .failed:
            (
                "what came back is no answer: the connection ended without one, it is longer than 4 KiB or no JSON, or the "
                    + "program failed",
                "Let the app answer with one line, {\"handled\":true}; look into its own log."
            )
        case .notTrusted:
            (
                "the program that listens there belongs to another user, who must not see a callback",
                "Put the socket into a folder that only the app's user can write in, and no other user could have made, such as "
                    + "systemd's RuntimeDirectory; not into /tmp. See who listens: ss -xlp."
            )
        case .busy:
            (
                "too many programs that were started for this app have not fetched their callbacks",
                "See what they wait for. If nobody starts so many sign-ins, some page has called the redirect URI: the log says "
                    + "from where."
            )
        }
    }
}
