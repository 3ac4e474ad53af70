internal import SwitchyardJOSE
internal import SwitchyardTLS
internal import SwitchyardText

extension AppDecoder {
    /// The keys with which the client signs, the first one now; nil when one of them is wrong, which is reported.
    func signingKeys() -> [SigningKey]? {
        guard let node = reader[.signingKeys] else { return [] }
        let errors = context.log.errorCount
        if node.isEmptyList {
            context.error(at: node.mark, "an empty list of keys", "list a key, or leave signing_keys out")
        }
        let keys = SigningKeysSection(taken: Set(encryptionKeyIDs), context: context).decode(node)
        return context.log.errorCount == errors ? keys : nil
    }

    /// Whether authorization requests are signed.
    /// - Parameter keys: nil when they are wrong, which has been reported.
    func signsRequests(_ keys: [SigningKey]?) -> Bool {
        guard let node = reader[.requestObject] else { return false }
        guard context.choice(node, [("off", false), ("signed", true)]) == true else { return false }
        if keys?.isEmpty == true {
            context.error(
                at: node.mark, "request_object signed without signing_keys",
                "write signing_keys: [{ id, key_file }]; make a key by: switchyard keys new --kind signing --file FILE")
        }
        return true
    }

    /// Both lists are published together, so an ID may stand in one of them only.
    private var encryptionKeyIDs: [String] {
        guard let list = reader[.encryptionKeysForTokens] else { return [] }
        return list.elements.compactMap { element in element.entries.first { $0.isOf("id") }?.value.scalar }
    }
}

/// The `signing_keys:` list.
struct SigningKeysSection {
    enum Key: String, ConfigurationKey {
        case id
        case keyFile = "key_file"
        case certificateFile = "certificate_file"
    }

    /// The IDs of the app's other keys.
    let taken: Set<String>
    let context: DecodingContext

    func decode(_ node: YAMLNode) -> [SigningKey] {
        var lines: [String: UInt32] = [:]
        return context.list(node) { element -> SigningKey? in
            guard let reader = MappingReader<Key>(element, in: context) else { return nil }
            let id = reader.required(.id, "write an id, by which the issuer finds the key").flatMap { context.text($0) }
            if let id {
                if taken.contains(id) {
                    context.error(
                        at: element.mark, "the id \"\(id)\" of a signing key is also in encryption_keys_for_tokens",
                        "give each key its own id: both lists are published together")
                } else if let line = lines.updateValue(element.mark.line, forKey: id) {
                    context.error(
                        at: element.mark, "a second key with the id \"\(id)\"",
                        "give each key its own id; the first is on line \(line)")
                }
            }
            return key(id, reader)
        } ?? []
    }

    private func key(_ id: String?, _ reader: MappingReader<Key>) -> SigningKey? {
        let pem = reader.required(.keyFile, Self.howToMakeOne).flatMap { context.privateKeyFile($0) }
        let certificate = reader[.certificateFile].map {
            context.contents($0, maximum: DecodingContext.maximumPEMSize)?.contents.bytes
        }
        // A file that cannot be read was reported.
        guard let id, let pem, certificate != .some(nil) else { return nil }
        do throws(SigningKeyError) {
            let key = try SigningKey(id: id, pem: pem, certificate: certificate ?? nil)
            if let certificate = certificate ?? nil { judgeDates(of: certificate, reader) }
            return key
        } catch {
            let isCertificate = error == .noCertificate || error == .foreignCertificate
            context.error(
                at: reader.mark(of: isCertificate ? .certificateFile : .keyFile), "\(error)",
                isCertificate
                    ? "name the PEM file with the certificate that was made for this key_file" : Self.howToMakeOne)
            return nil
        }
    }

    /// Warns of a certificate that has expired: an issuer may refuse what its key signs.
    private func judgeDates(of pem: [UInt8], _ reader: MappingReader<Key>) {
        guard let machine = context.machine, let chain = try? CertificateChain(pem: pem),
            chain.validUntil <= machine.now
        else { return }
        context.warning(
            at: reader.mark(of: .certificateFile),
            "the certificate of a signing key expired on \(HTTPDate.format(chain.validUntil)): an issuer may refuse what "
                + "the key signs",
            "make a new key and certificate, register the certificate, and list it first once the issuer has it")
    }

    private static let howToMakeOne = "make one by: switchyard keys new --kind signing --file FILE"
}
