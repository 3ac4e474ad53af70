/// The issuers of a configuration by name. Safe from any thread.
public final class IssuerDirectory: Sendable {
    private let issuers: [String: Issuer]

    /// Of two issuers with one name the first counts.
    public init(_ settings: [IssuerSettings]) {
        issuers = Dictionary(settings.map { ($0.name, Issuer($0)) }) { first, _ in first }
    }

    public subscript(name: String) -> Issuer? {
        issuers[name]
    }
}
