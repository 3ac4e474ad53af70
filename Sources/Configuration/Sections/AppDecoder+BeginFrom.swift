internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    private enum BeginFromKey: String, ConfigurationKey {
        case uids
        case networks
        case clientCertificates = "client_certificates"
        case apiKeyFile = "api_key_file"
    }

    private enum RelayFromKey: String, ConfigurationKey {
        case uids
        case networks
    }

    /// Who may begin; what is wrong in it is reported.
    func beginFrom(_ node: YAMLNode) -> BeginFrom? {
        guard let reader = MappingReader<BeginFromKey>(node, in: context) else { return nil }
        let uids = reader[.uids].flatMap { context.uids($0) }
        let networks = reader[.networks].flatMap { context.networks($0) }
        let certificates = reader[.clientCertificates].flatMap { list in
            context.list(list) { context.clientCertificates($0) }
        }
        let keys = reader[.apiKeyFile].flatMap { context.apiKeys($0) }
        let lists = [reader[.uids], reader[.networks], reader[.clientCertificates]]
        if reader[.apiKeyFile] == nil, lists.allSatisfy({ $0?.isEmptyList ?? true }) {
            context.error(
                at: node.mark, "a begin_from that lets nobody begin",
                "list uids, networks or client_certificates, or name an api_key_file")
        }
        return BeginFrom(
            uids: uids ?? [], networks: networks ?? [], clientCertificates: certificates ?? [],
            apiKeyHashes: keys ?? [])
    }

    /// Who may relay. `release` and `redirects` are nil when they are wrong, which has been reported.
    func relayFrom(_ release: ReleasePolicy?, _ redirects: [RedirectURI]?) -> RelayFrom? {
        guard let node = self.reader[.relayFrom] else { return nil }
        if let redirects, redirects.allSatisfy({ if case .https = $0.form { true } else { false } }) {
            context.error(
                at: self.reader.mark(of: .relayFrom), "nothing to relay: all redirect URIs of this app are https",
                "leave relay_from out; an https callback comes from the browser itself")
            return nil
        }
        guard let reader = MappingReader<RelayFromKey>(node, in: context) else { return nil }
        let uids = reader[.uids].flatMap { context.uids($0) }
        let networks = reader[.networks].flatMap { context.networks($0) }
        if [reader[.uids], reader[.networks]].allSatisfy({ $0?.isEmptyList ?? true }) {
            context.error(at: node.mark, "a relay_from that lets nobody relay", "list uids or networks")
        }
        if let release, release != .none, reader[.networks]?.isEmptyList == false {
            context.warning(
                at: reader.mark(of: .networks), "with release \(release.rawValue), nobody can relay over a network",
                "list uids: a relay counts on a Unix socket only, from the user that began")
        }
        return RelayFrom(uids: uids ?? [], networks: networks ?? [])
    }
}
