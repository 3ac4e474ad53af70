/// A tenant as addresses name it: in Microsoft's words, who may sign in.
struct Tenant: Sendable {
    private enum Kind {
        /// `common` and `organizations`: people of any tenant, so the issuer's name is a template.
        case any
        case one(TenantID)
    }

    /// As it stands in the path.
    let segment: String
    private let kind: Kind

    /// The domain of the tenant where everybody is at home; every other domain is of a tenant of its own.
    private static let standardDomain = "contoso.onmicrosoft.com"

    /// - Parameter segment: `common`, `organizations`, `consumers`, a GUID or a domain; nil for anything else.
    init?(_ segment: String) {
        switch segment {
        case "common", "organizations": kind = .any
        case "consumers": kind = .one(.consumers)
        case Self.standardDomain: kind = .one(.standard)
        default:
            if let id = TenantID(segment) {
                kind = .one(id)
            } else if Self.isDomain(segment) {
                kind = .one(TenantID(derivedFrom: "tenant \(segment.lowercased())"))
            } else {
                return nil
            }
        }
        self.segment = segment
    }

    /// Where people are signed in.
    var id: TenantID {
        switch kind {
        case .any: .standard
        case .one(let id): id
        }
    }

    /// Where those people are at home: elsewhere they are guests.
    var home: TenantID { id == .consumers ? .consumers : .standard }

    /// Whether it is one company's own, where apps may sign people in by themselves.
    var isOrganization: Bool {
        switch kind {
        case .any: false
        case .one(let id): id != .consumers
        }
    }

    /// As the metadata names the tenant within the issuer: OpenID Connect Discovery knows no templates, Microsoft does.
    var nameInMetadata: String {
        switch kind {
        case .any: "{tenantid}"
        case .one(let id): id.text
        }
    }

    private static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.utf8.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    }
            }
    }
}
