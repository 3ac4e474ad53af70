internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The keys of an app that say what happens to its tokens.
enum TokenHandlingKeys {
    static let all: [AppKey] = [.userInfo, .encryptionKeysForTokens, .encrypted, .signingKeys, .requestObject]
}

extension AppDecoder {
    /// nil when something in it is wrong, which is reported.
    /// - Parameter scope: the app's default scope; nil without one.
    func tokenHandling(_ scope: Scopes?) -> TokenHandling? {
        let errors = context.log.errorCount
        var handling = TokenHandling.standard
        if let node = reader[.userInfo] {
            handling.fetchesUserInfo = context.choice(node, [("true", true), ("false", false)]) ?? false
            if handling.fetchesUserInfo, let scope, !scope.contains("openid") {
                context.error(
                    at: node.mark, "userinfo, although default_scope lacks openid",
                    "add openid to default_scope: the claims must be those of the person in the ID token")
            }
        }
        handling.decryption = decryption()
        handling.binding = binding
        return context.log.errorCount == errors ? handling : nil
    }

    /// Whether the tokens are bound to a key; `auto` also when that is wrong, which is reported.
    var binding: BindingPolicy { reader[.dpop].flatMap { context.choice($0, BindingPolicy.self) } ?? .auto }

    private func decryption() -> TokenDecryption? {
        guard let node = reader[.encryptionKeysForTokens] else {
            reader.refuse([.encrypted], because: "without encryption_keys_for_tokens nothing is encrypted")
            return nil
        }
        let keys = TokenKeysSection.decode(node, in: context)
        guard !node.isEmptyList else {
            context.error(at: node.mark, "an empty list of keys", "list a key, or leave encryption_keys_for_tokens out")
            return nil
        }
        return TokenDecryption(DecryptionKeys(keys), required: required())
    }

    /// The tokens that must be encrypted: ID tokens, unless `encrypted` names others.
    private func required() -> Set<TokenDecryption.Subject> {
        guard let node = reader[.encrypted] else { return [.idToken] }
        guard !node.isEmptyList else {
            context.error(
                at: node.mark, "encrypted names nothing",
                "write id_token, jarm or both, or leave encryption_keys_for_tokens out")
            return []
        }
        return Set(context.list(node) { context.choice($0, TokenDecryption.Subject.self) } ?? [])
    }
}

/// The `encryption_keys_for_tokens:` list.
private enum TokenKeysSection {
    enum Key: String, ConfigurationKey {
        case id
        case keyFile = "key_file"
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> [DecryptionKeys.Key] {
        var lines: [String: UInt32] = [:]
        return context.list(node) { element -> DecryptionKeys.Key? in
            guard let reader = MappingReader<Key>(element, in: context) else { return nil }
            let id = reader.required(.id, "write an id, by which the issuer names the key").flatMap { context.text($0) }
            let pem = reader.required(.keyFile, howToMakeOne).flatMap { context.privateKeyFile($0) }
            guard let id, let pem else { return nil }
            if let line = lines.updateValue(element.mark.line, forKey: id) {
                context.error(
                    at: element.mark, "a second key with the id \"\(id)\"",
                    "give each key its own id; the first is on line \(line)")
            }
            guard let key = DecryptionKeys.Key(id: id, pem: pem) else {
                context.error(
                    at: reader.mark(of: .keyFile),
                    "no private key in PEM without a password, of RSA with 2048 bits or more, P-256 or P-384",
                    howToMakeOne)
                return nil
            }
            return key
        } ?? []
    }

    private static let howToMakeOne =
        "make one by: openssl ecparam -name prime256v1 -genkey -noout -out FILE"
}

extension DecodingContext {
    /// The private key of a client in a file that only its owner and its group may read and change.
    func privateKeyFile(_ node: YAMLNode) -> Secret? {
        guard let (path, contents) = contents(node, maximum: Self.maximumPEMSize) else { return nil }
        files.note(secret: path)
        let permissions = contents.permissions
        guard !permissions.isWorldReadable && !permissions.isWorldWritable || ReadAdvice.isShutOff(path) else {
            error(
                at: node.mark, "other users of this machine can open the private key \(path)",
                "make a new one; or, if no other user has read it: "
                    + ReadAdvice.command(for: path, owner: contents.owner))
            return nil
        }
        return Secret(contents.bytes)
    }
}
