internal import SwitchyardCrypto

/// The `encryption_keys:` list.
enum EncryptionKeysSection {
    enum Key: String, ConfigurationKey {
        case id
        case key
        case keyFile = "key_file"
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> [KeyRing.Key] {
        var lines: [String: UInt32] = [:]
        return context.list(node) { element -> KeyRing.Key? in
            guard let key = key(element, in: context) else { return nil }
            if let line = lines.updateValue(element.mark.line, forKey: key.id) {
                context.error(
                    at: element.mark, "a second key with the id \"\(key.id)\"",
                    "give each key its own id; the first is on line \(line)")
            }
            return key
        } ?? []
    }

    /// A gateway must be able to open what another one has sealed.
    static func reportMissing(_ mark: Mark, _ context: DecodingContext) {
        context.error(
            at: mark, "a store in Redis without \"encryption_keys\"",
            "name a key that all gateways of this store have; make one by: \(howToMakeOne)")
    }

    private static func key(_ node: YAMLNode, in context: DecodingContext) -> KeyRing.Key? {
        guard let reader = MappingReader<Key>(node, in: context) else { return nil }
        let id = reader.required(.id, "write an id of 1 to 32 bytes, such as k1").flatMap { context.text($0) }
        if let file = reader[.keyFile] { context.closeKeyFile(file) }
        let written = reader.secret(.key, file: .keyFile)
        guard written.isGiven else {
            context.error(at: node.mark, "\"key_file\" is missing", "name a file made by: \(howToMakeOne)")
            return nil
        }
        guard let id, let secret = written.secret else { return nil }
        if let file = reader[.keyFile], !isTrustworthy(file, in: context) { return nil }
        guard let bytes = Hexadecimal.decode(secret.exposedBytes), bytes.count == 32,
            let key = KeyRing.Key(id: id, secret: Secret(bytes))
        else {
            context.error(
                at: node.mark, "an encryption key that is not 64 hexadecimal digits, or an id of more than 32 bytes",
                "make the key by: \(howToMakeOne)")
            return nil
        }
        return key
    }

    /// Whether only the operator and the gateway could have written the key file. Another writer would know the key.
    private static func isTrustworthy(_ node: YAMLNode, in context: DecodingContext) -> Bool {
        guard let written = context.text(node) else { return false }
        let path = context.file.resolve(written)
        guard let fault = KeyFileFault(path, configuration: context.file.name) else { return true }
        context.error(at: node.mark, "the key file \(path): \(fault.reason)", fault.remedy)
        return false
    }

    private static let howToMakeOne = "switchyard keys new --file FILE"
}
