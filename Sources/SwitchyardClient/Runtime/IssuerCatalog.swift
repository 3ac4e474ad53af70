internal import SwitchyardRedemption
internal import Synchronization

/// The issuers that the applications of this process have met, with their metadata and keys. Applications with the same
/// settings share them. Safe from any thread.
final class IssuerCatalog: Sendable {
    private let issuers = Mutex<[IssuerSettings: Issuer]>([:])

    func issuer(with settings: IssuerSettings) -> Issuer {
        issuers.withLock { issuers in
            if let known = issuers[settings] { return known }
            let issuer = Issuer(settings)
            issuers[settings] = issuer
            return issuer
        }
    }
}
