internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer

/// A person that signs in within an app. The name before the first hyphen, or the `@`, gives the method:
/// `mfa-1@example.com`. All other names are unknown.
struct NativeUser: Sendable {
    enum Way: String, Sendable, CaseIterable {
        case password
        /// A code that is sent by email, and no password.
        case code
        /// A password, and then a code.
        case mfa
        /// Only in a browser.
        case redirect
        /// A password that has to be changed.
        case reset
    }

    let person: DemoUser
    let way: Way

    /// Everybody's.
    private static let password = Secret("Demo-password-1")

    init?(_ username: String) {
        let parts = username.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty,
            let way = Way(rawValue: String(parts[0].prefix { $0 != "-" }))
        else { return nil }
        person = DemoUser(named: username)
        self.way = way
    }

    func isPassword(_ text: String) -> Bool { Secret(text) == Self.password }

    /// The address that codes go to, mostly masked.
    var maskedAddress: String {
        guard let at = person.username.firstIndex(of: "@") else { return "***" }
        return "\(person.username.prefix(1))***\(person.username[at...])"
    }
}
