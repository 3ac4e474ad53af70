public import SwitchyardOAuth

/// Where a callback belongs: the app, and which of its redirect URIs was called. Never changes; safe from any thread.
///
/// A class for the same reason as ``AppRegistration``: handing it out counts one reference.
public final class Route: Sendable {
    public let app: AppRegistration
    public let redirectURI: RedirectURI

    init(app: AppRegistration, redirectURI: RedirectURI) {
        self.app = app
        self.redirectURI = redirectURI
    }
}
