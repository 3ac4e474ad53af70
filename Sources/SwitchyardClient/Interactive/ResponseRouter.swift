internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// Brings callbacks to the requests of one application that wait for them. Safe from any thread.
final class ResponseRouter: Sendable {
    private let table: Mutex<ResponseTable>

    private let ownForm: RedirectURI.Form?

    /// - Parameter names: the issuer's own names of parameters.
    init(ownForm: RedirectURI.Form?, names: ParameterNames = ParameterNames()) {
        self.ownForm = ownForm
        table = Mutex(ResponseTable(ownForm: ownForm, names: names))
    }

    /// - Parameter isSignedIn: a promise that the browser's page waits for; fulfilled when the request has ended.
    func begin(
        _ state: Secret, form: RedirectURI.Form, isSignedIn: Promise<Bool>
    ) -> Promise<CheckedResponse> {
        let request = ResponseTable.Waiting(isSignedIn: isSignedIn)
        table.withLock { $0.begin(state, form: form, request) }
        return request.response
    }

    func expect(_ issuer: IssuerIdentification, for state: Secret) {
        table.withLock { $0.expect(issuer, for: state) }
    }

    func end(_ state: Secret) {
        table.withLock { $0.end(state, at: .now()) }
    }

    private func isOwnScheme(of url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.asciiLowercased
        return switch ownForm {
        case .customScheme(let own, _): scheme == own
        case .https: scheme == "https"
        case .loopback(let host, _): url.asciiLowercased.hasPrefix("http://\(host)")
        case nil: false
        }
    }

    /// Accepts a callback. If its request is still being set up, the callback waits for that, up to the request's own
    /// time-out.
    func accept(_ url: String) async -> ResponseOutcome {
        await deliver(url).0
    }

    /// Does the same as ``accept(_:)``, and for `completed` also promises the end of the request.
    func deliver(_ url: String) async -> (ResponseOutcome, isSignedIn: Promise<Bool>?) {
        let callback: CallbackAddress
        do throws(CallbackAddressError) {
            callback = try CallbackAddress(relayed: url)
        } catch {
            switch error {
            case .tooLong:
                return (.malformed("it is longer than \(CallbackAddress.maximumLength) bytes"), nil)
            case .malformed(let kind):
                // Another program's link, such as mailto:, need not look like a callback.
                guard url.isEmpty || isOwnScheme(of: url) else { return (.notMine, nil) }
                return (.malformed(RedirectURIError(kind, text: "").message), nil)
            }
        }
        while true {
            switch table.withLock({ $0.judge(callback, at: .now()) }) {
            case .refused(let outcome): return (outcome, nil)
            case .held(let ready): await ready.value
            case .claimed(let request, let response):
                request.response.fulfil(response)
                return (.completed, request.isSignedIn)
            }
        }
    }
}
