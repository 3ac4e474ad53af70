internal import SwitchyardCrypto
internal import SwitchyardText

/// A tenant as addresses name it: Microsoft's word for the accounts that may sign in.
package struct Tenant: Sendable {
    private enum Kind {
        /// `common` and `organizations`: people of any tenant, so the issuer's name is a template.
        case any
        case one(TenantID)
    }

    /// The name in the path.
    package let segment: String
    private let kind: Kind

    /// The domain of the tenant where everybody is at home; every other domain is of a tenant of its own.
    private static let standardDomain = "contoso.onmicrosoft.com"

    /// - Parameter segment: `common`, `organizations`, `consumers`, a GUID or a domain; nil for anything else.
    package init?(_ segment: String) {
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
    package var id: TenantID {
        switch kind {
        case .any: .standard
        case .one(let id): id
        }
    }

    /// Where those people are at home: elsewhere they are guests.
    var home: TenantID { id == .consumers ? .consumers : .standard }

    /// Whether it is one company's own, where apps may sign people in by themselves.
    package var isOrganization: Bool {
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

/// A GUID in lower case, as Microsoft's issuers name tenants and the people in them.
package struct TenantID: Sendable, Hashable {
    package let text: String

    /// The home of the people of this tenant.
    package static let standard = TenantID(unchecked: "6f2a1f52-7d0c-4b9e-8a35-1c9d0e4b7a60")

    /// Where all personal Microsoft accounts are at home, at Microsoft's too.
    static let consumers = TenantID(unchecked: "9188040d-6c67-4c5b-b112-36a304b66dad")

    /// nil when the text is no GUID; upper case is taken too.
    init?(_ text: String) {
        guard let id = GUID(text) else { return nil }
        self.text = id.text
    }

    /// The same for the same text each time.
    init(derivedFrom text: String) {
        let digits = Array(Hexadecimal.encode(SHA256Digest(of: text).bytes.prefix(16)).utf8)
        let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        self.text = cuts.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }

    private init(unchecked text: String) {
        self.text = text
    }
}
