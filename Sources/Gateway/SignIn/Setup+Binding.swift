internal import SwitchyardConfiguration
internal import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardText

extension Setup {
    /// Whether the tokens of a request are bound to a key (RFC 9449).
    /// - Parameter app: for a resource, as it is after its discovery.
    func bindsTokens(of app: AppRegistration) -> Bool {
        app.bindsTokens(
            asDocument: configuration.clients.contains {
                $0.document.bindsTokens && $0.document.address.isExactly(app.clientID)
            })
    }
}
