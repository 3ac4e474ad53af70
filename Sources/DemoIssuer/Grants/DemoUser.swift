internal import SwitchyardCrypto
package import SwitchyardJSON

/// A person as typed into the page. The typed name decides every claim, so the same name is the same person in each
/// run.
package struct DemoUser: Sendable {
    let subject: String
    let name: String
    /// Also the email address.
    package let username: String

    static let standard = DemoUser("Alex Doe")

    private static let domain = "example.com"
    private static let maximumLength = 64

    /// - Parameter text: a name or an email address. An empty text means ``standard``; a text beyond 64 characters is
    ///   cut.
    package init(named text: String?) {
        let trimmed = text?.split(separator: " ").joined(separator: " ").prefix(Self.maximumLength) ?? ""
        self = trimmed.isEmpty ? .standard : DemoUser(String(trimmed))
    }

    private init(_ text: String) {
        if let at = text.firstIndex(of: "@") {
            name = String(text[..<at])
            username = text
        } else {
            name = text
            username = text.lowercased().split(separator: " ").joined(separator: ".") + "@" + Self.domain
        }
        subject = Base64URL.encode(Array(SHA256Digest(of: username).bytes.prefix(16)))
    }

    /// The claims about the person (OpenID Connect Core section 5.1), and Microsoft's `oid` and `tid`.
    package func claims(in tenant: TenantID) -> JSONObject {
        [
            "sub": .string(subject), "name": .string(name), "preferred_username": .string(username),
            "email": .string(username), "oid": .string(objectID(in: tenant)), "tid": .string(tenant.text),
        ]
    }

    /// Microsoft's name for the person: another one in each tenant.
    package func objectID(in tenant: TenantID) -> String {
        TenantID(derivedFrom: "\(username) in \(tenant.text)").text
    }
}
