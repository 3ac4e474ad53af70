internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The parameters of a callback as the app's response mode reads them, before anything in them but the state is used.
enum UncheckedResponse: Sendable {
    case plain(AuthorizationResponse)
    case signed(SignedResponse)

    init(_ callback: ArrivedCallback) throws(CallbackProblem) {
        do throws(AuthorizationResponseError) {
            self =
                callback.route.app.responseMode.isSigned
                ? .signed(try SignedResponse.parse(query: callback.query, content: callback.content))
                : .plain(try AuthorizationResponse.parse(query: callback.query, content: callback.content))
        } catch {
            throw CallbackProblem(error)
        }
    }

    var state: Secret {
        switch self {
        case .plain(let response): response.state
        case .signed(let signed): signed.state
        }
    }

    /// As they came.
    var parameters: [FormField] {
        switch self {
        case .plain(let response): response.parameters
        case .signed(let signed): signed.parameters
        }
    }

    /// A digest of everything that the callback says, so that an identical one is known again.
    var fingerprint: SHA256Digest {
        SHA256Digest(of: FormEncoding.encode(parameters.map { ($0.name, $0.value) }))
    }
}
