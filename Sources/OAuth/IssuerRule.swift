internal import SwitchyardText

/// The issuers that a metadata document may speak for.
///
/// The document comes over TLS from a host that was chosen beforehand, so it cannot speak for another host than the
/// rule names.
public enum IssuerRule: Hashable, Sendable {
    /// The issuer that it was fetched for, or Microsoft Entra's template for it.
    case exactly
    /// Any issuer of these hosts (lower-cased, with a port that is not 443): for authorities with metadata under a name
    /// and tokens under a number, such as a tenant by its domain.
    case hosts(Set<String>)
    /// Each issuer with a host at this domain or below it.
    case domain(String)

    /// - Parameter issuer: not parsed before: it is the document's word.
    func accepts(_ issuer: String) -> Bool {
        guard self != .exactly, let host = Self.host(of: issuer) else { return false }
        switch self {
        case .exactly: return false
        case .hosts(let hosts): return hosts.contains(host)
        case .domain(let domain): return host == domain || host.hasSuffix("." + domain)
        }
    }

    /// The authority of an https URL (or a loopback http one), strictly; a template's placeholder counts as a letter.
    private static func host(of issuer: String) -> String? {
        let text = issuer.replacingPlaceholder
        guard let url = try? EndpointURL(text, allowingLoopbackHTTP: true), !text.contains("?"),
            let scheme = text.firstRange(of: "://")
        else { return nil }
        return url.text[scheme.upperBound...].prefix { $0 != "/" }.asciiLowercased
    }
}

extension String {
    fileprivate var replacingPlaceholder: String {
        guard let split = ExpectedIssuer.split(self) else { return self }
        return split.before + "t" + split.after
    }
}
