internal import SwitchyardJSON
internal import SwitchyardText

/// The protocols in which git and docker ask a helper for credentials. Without I/O.
///
/// Both ask for every address that they contact, also for one that a stranger chose. So a helper answers only for the
/// hosts that it was set up for.
struct CredentialHelper: Equatable {
    enum Kind: String {
        case git, docker
    }

    enum Verb: String {
        case get, store, erase, list
    }

    let kind: Kind
    let app: String
    /// The hosts as in an address, with the port if it is not the default.
    let hosts: [String]

    /// By the name that git or docker call it by: `git-credential-APP@HOST`, `docker-credential-APP@HOST`.
    init?(program: String) {
        let name = program.split(separator: "/").last ?? ""
        guard
            let kind: Kind = name.hasPrefix("git-credential-")
                ? .git : name.hasPrefix("docker-credential-") ? .docker : nil
        else { return nil }
        let parts = name.dropFirst("\(kind.rawValue)-credential-".count).split(separator: "@", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(kind: kind, app: String(parts[0]), hosts: [String(parts[1])])
    }

    init(kind: Kind, app: String, hosts: [String]) {
        self.kind = kind
        self.app = app
        self.hosts = hosts.map { $0.lowercased() }
    }

    /// The question of git or docker: the host, and the wanted user.
    struct Question: Equatable {
        let host: String
        var username: String?
    }

    /// Reads a question; nil for another helper's address, and for plain http, which would expose the secret.
    func question(in input: String) -> Question? {
        switch kind {
        case .git: gitQuestion(input)
        case .docker: dockerQuestion(input)
        }
    }

    /// git: lines of `name=value`, with the protocol, the host and perhaps a user name. A name that comes twice is no question:
    /// git and this program could mean different values. Only `name[]` may repeat (git-credential(1)). A `url`, which
    /// stands for several names, and a line without `=` are no question either: git sends neither to a helper.
    private func gitQuestion(_ input: String) -> Question? {
        var fields: [Substring: Substring] = [:]
        for line in input.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { return nil }
            let name = line[..<equals]
            if name.hasSuffix("[]") { continue }
            guard name != "url", fields.updateValue(line[line.index(after: equals)...], forKey: name) == nil else {
                return nil
            }
        }
        guard fields["protocol"] == "https", let host = fields["host"], hosts.contains(host.lowercased()) else {
            return nil
        }
        return Question(host: String(host), username: fields["username"].map(String.init))
    }

    /// docker: the registry's address, with or without a scheme and a path.
    private func dockerQuestion(_ input: String) -> Question? {
        let words = input.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, var text = words.first else { return nil }
        if text.hasPrefix("http://") { return nil }
        if text.hasPrefix("https://") { text = text.dropFirst("https://".count) }
        let host = text.prefix { $0 != "/" }
        return hosts.contains(host.lowercased()) ? Question(host: String(host)) : nil
    }

    /// The message with which a docker helper says that it has no credentials; docker then continues without.
    static let dockerHasNone = "credentials not found in native keychain"

    /// - Parameters:
    ///   - server: as docker wrote it, which it compares.
    /// - Returns: nil for a user name that would be more than one line.
    func answer(_ token: AgentToken, username: String, server: String) -> String? {
        switch kind {
        case .git:
            username.allBytes { $0 >= 0x20 && $0 != 0x7F }
                ? "username=\(username)\npassword=\(token.text)\npassword_expiry_utc=\(token.expiresOn)" : nil
        case .docker:
            String(
                decoding: JSONValue.object([
                    "ServerURL": .string(server), "Username": .string(username), "Secret": .string(token.text),
                ]).serialized, as: UTF8.self)
        }
    }
}
