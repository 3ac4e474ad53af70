internal import SwitchyardHandlers
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// The values that stand beside an event in the log and in histories.
enum LogDetail {
    static let explanations: [Explanation] =
        IssuerExchange.Endpoint.allCases.map { Explanation(.detail, $0.rawValue, $0.words) }
        + RequestRecord.Held.Proof.allCases.map { Explanation(.detail, $0.rawValue, $0.words) }
        + CallbackChannel.allCases.map { Explanation(.detail, $0.rawValue, $0.words) }
        + DeliveryName.allCases.map { Explanation(.detail, $0.rawValue, $0.words) }
        + RefusalReason.Key.allCases.map { Explanation(.detail, $0.rawValue, $0.words) }
}

private let none = "It names no fault."

extension IssuerExchange.Endpoint {
    fileprivate var words: Explanation.Words {
        switch self {
        case .discovery: ("`endpoint`: the address of the issuer's metadata", none)
        case .keys: ("`endpoint`: the address of the issuer's keys (jwks_uri)", none)
        case .token: ("`endpoint`: the issuer's token endpoint", none)
        case .account: ("`endpoint`: the issuer's address that names the account of an access token (`account`)", none)
        case .revocation: ("`endpoint`: the issuer's revocation endpoint", none)
        case .userInfo: ("`endpoint`: the issuer's userinfo endpoint, which has claims about the person", none)
        case .push: ("`endpoint`: the issuer's endpoint for pushed authorization requests", none)
        }
    }
}

extension RequestRecord.Held.Proof {
    fileprivate var words: Explanation.Words {
        switch self {
        case .code: ("`proof`: the code that the browser's page shows is typed into the program", none)
        case .ticket: ("`proof`: the browser brings a ticket to the app", none)
        }
    }
}

extension CallbackChannel {
    fileprivate var words: Explanation.Words {
        switch self {
        case .query: ("`by`: the callback came in the address", none)
        case .formPost: ("`by`: the callback came as a form", none)
        case .fragment: ("`by`: the callback came in the fragment of the address", none)
        case .relay: ("`by`: a program brought the callback as a string", none)
        case .gateway: ("`by`: the app's gateway brought the callback", none)
        }
    }
}

extension DeliveryName {
    fileprivate var words: Explanation.Words {
        switch self {
        case .socket: ("`handler`: the app's Unix socket", none)
        case .dbus: ("`handler`: the app's name on the session bus", none)
        case .exec: ("`handler`: a program that is started", none)
        case .webhook: ("`handler`: a POST to the app's server", none)
        case .loopback: ("`handler`: the app that listens on loopback on the browser's machine", none)
        }
    }
}

extension RefusalReason.Key {
    fileprivate var words: Explanation.Words {
        switch self {
        case .beginFrom:
            (
                "`reason` of begin_refused: the app's begin_from does not let this caller begin",
                "Compare `from` with the app's begin_from. Where a proxy stands between, name it in trusted_proxies."
            )
        case .useFrom:
            (
                "`reason` of use_refused: the app's use_from does not let this program use the agent's tokens",
                "Compare `program` with the app's use_from in the agent's file of the app."
            )
        }
    }
}
