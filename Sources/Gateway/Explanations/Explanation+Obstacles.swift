internal import SwitchyardOAuth
internal import SwitchyardText

extension SignInObstacle {
    var explanation: Explanation {
        switch self {
        case .named(let name): name.explanation
        case .status(let status): Explanation(.obstacle, label, Self.words(status))
        }
    }

    /// The statuses that the list of explanations shows. Every other one is explained, too.
    static let shownStatuses = [401, 403, 404, 429, 500, 502, 503]

    private static func words(_ status: Int) -> Explanation.Words {
        switch status {
        case 300...399:
            (
                "the issuer's endpoint redirects (\(status)), which is not followed",
                "Write the address to which it redirects into the configuration, if it is the issuer's."
            )
        case 401, 403, 407:
            (
                "the issuer's server, or something in front of it, refuses the gateway (\(status))",
                "Ask the address from the gateway's machine with curl. Does a firewall of the issuer block this machine's address, or a proxy ask for a login?"
            )
        case 404, 410:
            (
                "the issuer's address does not exist (\(status))",
                "Compare `issuer` with the issuer's documentation: host, path and tenant."
            )
        case 429:
            (
                "the issuer got too many requests (429)",
                "Wait. If it comes back, look for an app that begins again and again (`begun` in the log)."
            )
        case 500...599:
            (
                "the issuer, or a proxy in front of it, failed (\(status))",
                "Try again in a while. If it lasts, look at the issuer's status page, or tell the issuer's operator."
            )
        default:
            (
                "the issuer answered with a status that the protocol does not know there (\(status))",
                "Ask the address from the gateway's machine with curl: does the issuer itself answer, or something in its place?"
            )
        }
    }
}

extension SignInObstacle.Name {
    var explanation: Explanation {
        var explanation = Explanation(.obstacle, rawValue, words)
        explanation.sentence = sentence
        return explanation
    }

    /// The words of the log's `detail` that mean the same.
    private var sentence: String? {
        switch self {
        case .idTokenMissing: "the token response has no id_token"
        case .idTokenUnreadable: "the id token is no compact jws"
        case .idTokenEncrypted: "the id token is encrypted"
        case .idTokenUndecryptable: "the id token does not open"
        case .idTokenNotEncrypted: "the id token is signed only"
        case .idTokenIncomplete: "the id token lacks"
        case .idTokenAlgorithm: "the id token: it is signed with an algorithm"
        case .idTokenNoKey: "the id token: the issuer publishes no key"
        case .idTokenWrongSignature: "the id token: its signature is wrong"
        case .idTokenWrongIssuer: "the id token is from another issuer"
        case .idTokenWrongTenant: "the id token is from a tenant"
        case .idTokenWrongAudience: "the id token is for another client"
        case .idTokenExpired: "the id token has expired"
        case .idTokenFromFuture: "the id token is from the future"
        case .idTokenWrongNonce: "the id token belongs to another sign-in"
        case .idTokenWrongHash: "the id token belongs to another"
        case .idTokenWrongContext: "the id token tells of another kind of authentication"
        case .idTokenOldAuthentication: "the id token tells of no authentication that is as recent"
        case .offline, .connectionRefused, .proxyRefused, .forbiddenAddress, .timedOut, .interrupted,
            .certificateExpired, .certificateNotYetValid,
            .certificateUntrusted, .certificateWrongName, .certificateOther, .unsendable, .wrongAnswer:
            nil
        }
    }

    private static let askAgain = "`switchyard doctor` asks the issuer from this machine."
    private static let clocks =
        "Set this machine's clock right (timedatectl, chronyc tracking). If it is right, the issuer's is wrong: tell the issuer's operator."

    private var words: Explanation.Words {
        switch self {
        case .offline:
            (
                "the issuer's name cannot be looked up, or there is no way to its address",
                "Look at this machine's network and DNS, and at the host in `issuer`. \(Self.askAgain)"
            )
        case .connectionRefused:
            (
                "nothing listens at the issuer's address, or TLS could not be agreed on",
                "Look whether the issuer runs, and whether a firewall stands between. \(Self.askAgain)"
            )
        case .proxyRefused:
            (
                "the proxy of `outgoing` does not pass the connection to the issuer on; the line's `detail` has its status",
                "With 407, give `outgoing` the proxy's `user` and `password_file`. With another status, have the proxy allow the issuer's host, or add the host to `no_proxy`."
            )
        case .forbiddenAddress:
            (
                "an address that another party gave (a webhook, a resource or its authorization server) leads to a server that such an address must not name: one of this machine or its network, link-local, multicast or unspecified",
                "If the server is yours, name its host in `resources: allow`: then it may be private or loopback. If it is not, somebody tried to make the gateway call it."
            )
        case .timedOut:
            (
                "the issuer did not answer in time (issuer_timeout)",
                "Look whether a firewall drops the connection. If the issuer is only slow, raise `limits: issuer_timeout`."
            )
        case .interrupted:
            (
                "the connection to the issuer was lost before its answer was whole",
                "Begin again. If it comes back, look for a firewall or proxy that ends connections."
            )
        case .certificateExpired:
            (
                "the certificate of the issuer's server has expired",
                "The issuer's operator has to renew it. If it is valid in a browser, set this machine's clock right."
            )
        case .certificateNotYetValid:
            (
                "the certificate of the issuer's server is not valid yet",
                "Set this machine's clock right (timedatectl). If it is right, tell the issuer's operator."
            )
        case .certificateUntrusted:
            (
                "the certificate of the issuer's server is from an authority that this machine does not trust",
                "Name the authority's certificate with `ca: FILE` at the issuer. Does a proxy put its own certificate in place of the issuer's?"
            )
        case .certificateWrongName:
            (
                "the certificate of the issuer's server is for another host",
                "Compare the host in `issuer` with the names in the certificate."
            )
        case .certificateOther:
            (
                "the certificate of the issuer's server cannot be believed",
                "Look at it with `openssl s_client -connect HOST:443`, and tell the issuer's operator."
            )
        case .unsendable:
            (
                "the request to the issuer could not be sent at all",
                "Look at the line's detail: an address in the configuration may be wrong, or memory may be short."
            )
        case .wrongAnswer:
            (
                "the issuer's answer breaks the protocol",
                "Look at `detail` in the same line. Does something answer in the issuer's place, such as a proxy's login page?"
            )
        case .idTokenMissing:
            (
                "the scope has `openid`, and the token response has no ID token",
                "Leave `openid` out of the scope if the issuer speaks OAuth 2.0 only; otherwise allow it for the client at the issuer."
            )
        case .idTokenUnreadable:
            ("the ID token is no signed JWT", "Tell the issuer's operator, with the time of the sign-in.")
        case .idTokenEncrypted:
            (
                "the ID token is encrypted, and the app has no key to open it",
                "Switch ID token encryption off for this client at the issuer, or give the app encryption_keys_for_tokens."
            )
        case .idTokenUndecryptable:
            (
                "the ID token is encrypted to another key than the app's, or in a way that is not allowed; the line's `detail` says how",
                "Register the app's encryption_keys_for_tokens at the issuer, with an algorithm that the configuration page names."
            )
        case .idTokenNotEncrypted:
            (
                "the ID token is signed only, although the app has encryption_keys_for_tokens",
                "Switch ID token encryption on for this client at the issuer, or write `encrypted: [jarm]` if only JARM is encrypted."
            )
        case .idTokenIncomplete:
            (
                "the ID token lacks a claim that it must have; the line's `detail` names it",
                "Tell the issuer's operator. Without a nonce in it, look whether the issuer passes the nonce on."
            )
        case .idTokenAlgorithm:
            (
                "the ID token is signed with an algorithm that is not allowed",
                "Choose RS256 or ES256 for this client at the issuer."
            )
        case .idTokenNoKey:
            (
                "the issuer publishes no key that may verify the ID token",
                "Compare `issuer` (or jwks_uri) with the issuer's documentation. After a change of keys, try again in half a minute."
            )
        case .idTokenWrongSignature:
            (
                "the signature of the ID token is wrong",
                "Compare `issuer` (or jwks_uri) with the issuer's documentation: the keys may be another issuer's."
            )
        case .idTokenWrongIssuer:
            (
                "the ID token names another issuer (iss); the line's `detail` has both",
                "Write the `iss` of the token as `issuer` into the configuration, if that is the issuer that is meant."
            )
        case .idTokenWrongTenant:
            (
                "the ID token is from a tenant that the app does not list (tid)",
                "Add the tenant to the app's `tenants`, if its people may sign in."
            )
        case .idTokenWrongAudience:
            (
                "the ID token is for another client (aud, azp); the line's `detail` has both",
                "Compare client_id in the configuration with the registration at the issuer."
            )
        case .idTokenExpired: ("the ID token has expired by this machine's clock", Self.clocks)
        case .idTokenFromFuture: ("the ID token is from the future by this machine's clock", Self.clocks)
        case .idTokenWrongNonce:
            (
                "the ID token belongs to another sign-in (its nonce differs)",
                "Begin again. If it comes back, the issuer mixes sign-ins up, or somebody puts in another code."
            )
        case .idTokenWrongHash:
            (
                "the ID token belongs to another access token or code (at_hash, c_hash)",
                "Begin again. If it comes back, tell the issuer's operator."
            )
        case .idTokenWrongContext:
            (
                "the person signed in in another way than the app asked for (acr); the line's `detail` has both",
                "Offer the person such a way to sign in at the issuer, or have the app ask for less (acr_values)."
            )
        case .idTokenOldAuthentication:
            (
                "the person signed in longer ago than the app asked for (auth_time), or the ID token does not say when",
                "Look whether the issuer supports max_age. If it does, compare its clock with this machine's."
            )
        }
    }
}
