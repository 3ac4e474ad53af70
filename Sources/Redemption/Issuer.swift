internal import SwitchyardJOSE
internal import SwitchyardOAuth

/// An issuer and what is known of it: its metadata and keys, shared by all event loops.
public final class Issuer: Sendable {
    public let settings: IssuerSettings
    let metadata: CachedDocument<IssuerMetadata>
    let keys: CachedDocument<KeySet>

    public init(_ settings: IssuerSettings) {
        self.settings = settings
        metadata = CachedDocument(issuer: settings.name)
        keys = CachedDocument(issuer: settings.name)
    }
}
