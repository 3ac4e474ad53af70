internal import SwitchyardOAuth

extension SignInFailure.Code {
    var explanation: Explanation { Explanation(.failure, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .interactionRequired:
            (
                "the issuer wants the person to do something that it could not ask for, such as to sign in, to consent or to choose an account",
                "Begin again without prompt=none. If it comes back each time, look at the issuer's sign-in log for the policy that asks."
            )
        case .serverDeclinedScopes:
            (
                "the issuer granted fewer scopes than the app asked for",
                "Compare the scopes that the app asks for with those that the client may have at the issuer, and with what the person consented to."
            )
        case .serverProtectionPoliciesRequired:
            (
                "Microsoft Entra ID wants the app to be managed by an app protection policy",
                "On Linux no app can fulfil it: take the app, or these people, out of the policy, or ask for another condition such as a compliant device."
            )
        case .userCanceled:
            ("the person, or the app, gave up", "Begin again. Nothing is wrong with the configuration.")
        case .accessDenied:
            (
                "the person, or a rule of the issuer, said no",
                "If the person did not say no: look at the issuer's sign-in log for the rule, and whether this person may use the client with these scopes."
            )
        case .invalidRequest:
            (
                "the issuer finds the request wrong",
                "Compare client_id and the redirect URIs that `switchyard check` prints with the registration at the issuer, byte for byte."
            )
        case .invalidClient:
            (
                "the issuer does not take the app's client authentication",
                "Compare client_id, client_secret (or the key) and token_endpoint_auth_method with the registration at the issuer; has the secret expired?"
            )
        case .invalidGrant:
            (
                "the issuer does not take the code: it was used, is too old, or was given to another client or redirect URI",
                "Begin again. If it comes back: does somebody else redeem the same callbacks, and do redirect URI and client_id agree with the registration?"
            )
        case .invalidScope:
            (
                "the issuer does not know a scope of the request, or not for this client",
                "Compare the app's default_scope, and what it asks for itself, with the scopes that the issuer offers to this client."
            )
        case .unauthorizedClient:
            (
                "the issuer does not let this client ask in this way",
                "Allow the client the authorization code grant at the issuer (and refresh tokens, if it asks for offline_access)."
            )
        case .authorizationFailed:
            (
                "the issuer refused with an error of its own, which no standard names; `oauth_error` has it",
                "Look the name up in the provider's documentation; `description`, in the app's answer, has the provider's words. Compare client_id, its secret and the redirect URI with the registration, and see whether the provider has a preset or needs `deviations:`."
            )
        case .serverError:
            (
                "the issuer failed",
                "Try again. If it lasts, look at the issuer's status page, and at its log with the time of this sign-in."
            )
        case .temporarilyUnavailable:
            (
                "the issuer cannot answer now",
                "Try again in a while; it is the issuer that is overloaded or in maintenance."
            )
        case .throttled:
            (
                "the issuer got too many requests, and wants some time without any (429)",
                "Wait as long as retry_after says. If it comes back, look for a client that signs in again and again."
            )
        case .network:
            (
                "nothing usable came back from the issuer",
                "From the gateway's machine: does the issuer's host resolve, does it answer, and is its certificate known (`ca`)? The log says which it was (issuer_failing)."
            )
        case .invalidResponse:
            (
                "the issuer's answer breaks the protocol",
                "Look at the log's line for this reference. Does something stand between gateway and issuer that answers in its place, such as a proxy's login page?"
            )
        case .invalidIDToken:
            (
                "the ID token does not verify, or is not for this request",
                "Compare `issuer` and client_id in the configuration with the token's iss and aud, look at `tenants`, and set both machines' clocks."
            )
        case .releaseFailed:
            (
                "nobody proved in time that browser and app belong together",
                "Begin again, and type the code that your own browser shows into the program that you started yourself."
            )
        case .expired:
            (
                "no callback came in time",
                "Begin again. If it happens to all: does the issuer show an error in the browser, and does the redirect URI lead to this gateway, through the proxy too?"
            )
        case .internal:
            (
                "the gateway could not do its part",
                "Begin again. Look at the log around the time of this sign-in: a store that failed, a gateway that ended, a reload that changed the app."
            )
        }
    }
}

extension SignInFailureNote.Cause {
    var explanation: Explanation { Explanation(.cause, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .wrongCode:
            (
                "too many wrong release codes were given",
                "Begin again, and type the code from the page in your own browser. If you did not start this sign-in, somebody else asked you for a code: tell your security team."
            )
        case .anotherBrowser:
            (
                "its callbacks came in other browsers than the one that started (require_start)",
                "Begin again, and stay in the browser in which the link was opened. An address that was copied from another browser is dead on purpose."
            )
        case .heldTooLong:
            (
                "nobody typed the release code into the program in time (release_lifetime)",
                "Begin again. If people have too little time, make `limits: release_lifetime` longer; issuers take codes for 1 to 10 minutes."
            )
        case .abandoned:
            (
                "the gateway did not finish in time: it ended, or the store was out, while the code was being redeemed",
                "Begin again; the code may be spent and is never sent twice. Look at the log for a gateway that ended or a store that failed then."
            )
        case .denied:
            (
                "the person at the browser said that it was somebody else who began",
                "If the person is mistaken, begin again. If not, somebody has sent them the link of another sign-in: look at who began, and tell your security team."
            )
        case .registrationChanged:
            (
                "the app's issuer or client changed by a reload while the sign-in was under way, so its code goes nowhere",
                "Begin again."
            )
        case .codeTooOld:
            (
                "the issuer no longer took the code, which had been held until its release",
                "Begin again, and type the code sooner: issuers take codes for 1 to 10 minutes. `limits: release_lifetime` should be shorter than that."
            )
        }
    }
}

extension KeepingProblem.Reason {
    var explanation: Explanation { Explanation(.keeping, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .locked:
            (
                "the keyring is locked, or other programs use what the tokens are in all the time",
                "Unlock the keyring. The agent has the tokens in its memory and gives them out; it tries again by itself, at least twice a minute, and they are lost only if it ends before."
            )
        case .unavailable:
            (
                "the keyring that has the user's tokens does not answer, or their folder is gone",
                "`switchyard doctor` looks at the keyring. The agent has the tokens in its memory and tries again by itself; they are lost only if it ends before."
            )
        case .denied:
            (
                "this user may not write where the tokens are, or others might read them there",
                "The log's `detail` names the place: give this user, and nobody else, the right to it. The agent has the tokens in its memory and tries again by itself; they are lost only if it ends before."
            )
        case .failed:
            (
                "the system cannot write where the tokens are, as on a full disk",
                "The log's `detail` names the place: free some space there. The agent has the tokens in its memory and tries again by itself; they are lost only if it ends before."
            )
        case .tooLarge:
            (
                "the tokens of all accounts of one client ID are longer than 4 MiB",
                "Remove unused accounts (`switchyard logout`). The agent has the tokens in its memory and tries again by itself; they are lost only if it ends before."
            )
        case .unreadable:
            (
                "what has the user's tokens is damaged, or was sealed with a key that is gone, and cannot be set aside",
                "The log's `detail` names the place: move it away. The agent has the tokens in its memory and tries again by itself; they are lost only if it ends before."
            )
        case .slow:
            (
                "the keyring, or the disk, has not answered within 5 seconds; the app was not kept waiting for it",
                "Mostly nothing: `tokens_kept` says that they were kept after all, and another line that they were not. If neither comes, see whether the keyring waits for somebody."
            )
        case .noIDToken:
            (
                "the issuer gave no ID token, so the account of the tokens is unknown",
                "An app that keeps its tokens itself needs nothing. If the agent shall give them out: ask for the scope openid; at an issuer that only speaks OAuth 2.0, name the address of its own API (`account`)."
            )
        case .noAccount:
            (
                "the issuer's account url did not name the account of the tokens",
                "The log's `detail` says what it answered. Compare the issuer's `account` with what the provider's API answers, and look whether the app's scopes let it read the account."
            )
        case .unusable:
            (
                "the app is no longer set up, or the issuer's answer cannot be stored",
                "Look at the log's `detail`. If the app was taken out of the configuration meanwhile, put it back and sign in again."
            )
        }
    }
}

extension GatewayLimit {
    var explanation: Explanation { Explanation(.limit, name, words) }

    private var words: Explanation.Words {
        switch self {
        case .requests:
            (
                "no more sign-ins may be under way, or remembered, at one time",
                "Look at who begins so many (`begun` in the log); raise `limits: requests` if they are meant and memory allows."
            )
        case .requestsPerApp:
            (
                "no more sign-ins of one app may be under way at one time",
                "Does the app begin again and again? Else raise `limits: requests_per_app`."
            )
        case .requestsPerAddress:
            (
                "no more sign-ins from one address may be under way at one time",
                "If it is the address of a proxy, list it in trusted_proxies. Many people behind one address need a higher `limits: requests_per_address`."
            )
        case .keptBytes:
            (
                "no more bytes may be kept for requests, results and failures",
                "Do apps collect and acknowledge their results? Else raise `limits: kept_bytes`, and the memory with it."
            )
        case .keptBytesPerAddress:
            (
                "no more bytes may be kept for one address",
                "Do the apps there collect and acknowledge their results? If it is a proxy's address, list it in trusted_proxies; else raise `limits: kept_bytes_per_address`."
            )
        case .requestsPerNetwork:
            (
                "no more sign-ins from one network (/24 of IPv4, /48 of IPv6) may be under way at one time",
                "If it is the network of your proxies, list them in trusted_proxies. If all your people come from one network, raise `limits: requests_per_network`."
            )
        case .keptBytesPerNetwork:
            (
                "no more bytes may be kept for one network (/24 of IPv4, /48 of IPv6)",
                "Do the apps there collect and acknowledge their results? If all your people come from one network, raise `limits: kept_bytes_per_network`."
            )
        case .waitingPerAddress:
            (
                "no more apps at one address may wait for a result at one time",
                "If it is a proxy's address, list it in trusted_proxies; else raise `limits: waiting_per_address`."
            )
        case .connections:
            (
                "no more connections may be open at one time",
                "Look at who holds them (`ss -tn`). Else raise `limits: connections`, and the number of open files with it."
            )
        case .connectionsPerAddress:
            (
                "no more connections from one address, or at an agent from one program, may be open at one time",
                "If it is a proxy's address, list it in trusted_proxies. Else raise `limits: connections_per_address`. One program has at most 64 at an agent: have it close some."
            )
        case .connectionsPerNetwork:
            (
                "no more connections from one network (/24 of IPv4, /48 of IPv6) may be open at one time",
                "If it is the network of your proxies, list them in trusted_proxies. If all your people come from one network, raise `limits: connections_per_network`."
            )
        case .unfinishedBytes:
            (
                "no more memory may be taken by requests that have begun to arrive and are not whole",
                "Look at the clients that begin requests and do not end them (`ss -tn`). If they are slow and meant, raise `limits: unfinished_bytes`, and the memory with it."
            )
        case .requestLineBytes:
            (
                "the first line of a request, with the query of a callback in it, is over its limit",
                "If the issuer's answer is that long, raise `limits: request_line_bytes`, and what the proxy in front takes; or have it answer by form_post."
            )
        case .headerBytes:
            (
                "the header fields of a request are over their limit",
                "Other programs at the same host may set too many cookies. If they do not, raise `limits: header_bytes`, and what the proxy in front takes."
            )
        case .bodyBytes:
            (
                "the content of a request is over its limit",
                "An issuer's form post with many claims can be that large. Raise `limits: body_bytes`, and what the proxy in front takes."
            )
        case .beginRate:
            (
                "an address begins sign-ins faster than it may",
                "Does a program begin again and again? Else raise `limits: begin_rate`; list proxies in trusted_proxies."
            )
        case .callbackRate:
            (
                "an address opens pages or brings callbacks faster than it may",
                "List proxies in trusted_proxies. Else raise `limits: callback_rate`, if so many people share the address."
            )
        case .collectRate:
            (
                "an address asks for results faster than it may",
                "Let the app wait (`Prefer: wait=60`) instead of asking again and again; else raise `limits: collect_rate`."
            )
        }
    }
}
