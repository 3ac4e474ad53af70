import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor

@testable import SwitchyardClient

/// A callback's text, against an application with requests in every phase.
enum ResponseTableTarget {
    private struct Waiting {
        let state: String
        let uri: String
        let issuer: String?
        let expectation: IssuerIdentification
        let entry = ResponseTable.Waiting(isSignedIn: Promise())

        var callback: CallbackAddress? {
            try? CallbackAddress(relayed: "\(uri)?code=c&state=\(state)\(issuer.map { "&iss=\($0)" } ?? "")")
        }
    }

    private static let own = "https://login.contoso.com/app1/auth"
    private static let now = Instant(nanoseconds: 1)

    private static func waiting() -> [Waiting] {
        let strict = IssuerIdentification(expected: .exactly("https://id.contoso.com"), isRequired: true)
        let template = IssuerIdentification(
            expected: .tenantTemplate("https://login.example/{tenantid}/v2.0", tenants: .any), isRequired: false)
        return [
            Waiting(state: "waits-1", uri: own, issuer: "https://id.contoso.com", expectation: strict),
            Waiting(state: "waits-2", uri: own, issuer: nil, expectation: template),
            Waiting(state: "waits-3", uri: "http://127.0.0.1:8/back", issuer: nil, expectation: template),
        ]
    }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let callback = try? CallbackAddress(relayed: String(decoding: bytes, as: UTF8.self)) else { return }
        let waiting = waiting()
        var table = try table(waiting)
        let states = (try? FormEncoding.decode(callback.query))?.filter { $0.name == "state" }.map(\.value) ?? []
        var claimed: String?
        switch table.judge(callback, at: now) {
        case .claimed(let entry, let response):
            guard let request = waiting.first(where: { $0.entry.response === entry.response }) else {
                throw BrokenInvariant(description: "broken: who is claimed has waited")
            }
            try check(response, callback, states, claims: request)
            try require(isRefused(&table, callback, as: .alreadyConsumed), "a callback counts once")
            claimed = request.state
        case .held:
            try require(states == ["sets-up"], "only who is being set up is waited for")
        case .refused(let outcome):
            try check(outcome, callback, states, waiting)
        }
        for request in waiting where request.state != claimed {
            guard let callback = request.callback, case .claimed(let entry, _) = table.judge(callback, at: now),
                entry.response === request.entry.response
            else { throw BrokenInvariant(description: "broken: whoever was not claimed waits on") }
        }
    }

    private static func check(
        _ response: CheckedResponse, _ callback: CallbackAddress, _ states: [String], claims request: Waiting
    ) throws(BrokenInvariant) {
        try require(states.count == 1, "a state stands once")
        try require(states[0].utf8.elementsEqual(request.state.utf8), "a request is claimed by its own state")
        try require(
            response.stateHash == SHA256Digest(of: request.state), "the state that was looked up is the one that came")
        try require(callback.form == request.callback?.form, "a request is claimed at its own redirect URI")
        let named = response.parameters.first { $0.name == "iss" }?.value
        try require((try? request.expectation.check(named)) != nil, "the issuer is the one that was asked")
    }

    private static func check(
        _ outcome: ResponseOutcome, _ callback: CallbackAddress, _ states: [String], _ waiting: [Waiting]
    ) throws(BrokenInvariant) {
        let isOurs = waiting.contains { $0.callback?.form == callback.form } || callback.form == setUp?.form
        switch outcome.name {
        case .completed, .alreadyConsumed: try require(false, "nothing was taken before")
        case .notMine: try require(!isOurs, "what is at our redirect URI is ours")
        case .expired: try require(states == ["ended"], "only what has ended has expired")
        case .noPendingRequest, .stateMismatch, .malformed: try require(isOurs, "what is ours is at our redirect URI")
        }
    }

    private static let setUp = try? CallbackAddress(relayed: "msauth.com.contoso.app1://auth")

    private static func table(_ waiting: [Waiting]) throws(BrokenInvariant) -> ResponseTable {
        guard let form = (try? CallbackAddress(relayed: own))?.form, let setUp else {
            throw BrokenInvariant(description: "broken: the sample is right")
        }
        var table = ResponseTable(ownForm: form)
        for request in waiting {
            guard let form = request.callback?.form else { continue }
            table.begin(Secret(request.state), form: form, request.entry)
            table.expect(request.expectation, for: Secret(request.state))
        }
        table.begin(Secret("sets-up"), form: setUp.form, ResponseTable.Waiting(isSignedIn: Promise()))
        table.begin(Secret("ended"), form: form, ResponseTable.Waiting(isSignedIn: Promise()))
        table.end(Secret("ended"), at: now)
        return table
    }

    private static func isRefused(
        _ table: inout ResponseTable, _ callback: CallbackAddress, as expected: ResponseOutcome
    ) -> Bool {
        if case .refused(let outcome) = table.judge(callback, at: now) { outcome == expected } else { false }
    }
}
