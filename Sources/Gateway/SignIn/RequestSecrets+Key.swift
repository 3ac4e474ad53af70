internal import SwitchyardJOSE
internal import SwitchyardPendingRequests

extension RequestSecrets {
    /// The key to which the request's tokens are bound; nil for bearer tokens.
    var privateKey: PrivateKey? { bindingKey.flatMap { PrivateKey(exported: $0) } }
}
