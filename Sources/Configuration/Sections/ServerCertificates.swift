internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardTLS
internal import SwitchyardText

/// A certificate of a listener with its key, as it was read.
struct DecodedCertificate {
    let files: CertificateFiles
    /// The certificates of the file; nil where no machine is looked at.
    let chain: CertificateChain?
}

extension DecodingContext {
    private enum Key: String, ConfigurationKey {
        case certificate
        case key

        static let later = ["ocsp_response"]
    }

    /// Reads the `tls:` of a listener: one certificate, or a list of them from which the server name chooses.
    func serverCertificates(_ node: YAMLNode) -> [DecodedCertificate] {
        guard case .sequence(let elements) = node.content else { return serverCertificate(node).map { [$0] } ?? [] }
        if elements.isEmpty {
            error(at: node.mark, "an empty list of certificates", "name one, or leave tls out for plain text")
        }
        return elements.compactMap { serverCertificate($0) }
    }

    private func serverCertificate(_ node: YAMLNode) -> DecodedCertificate? {
        guard let reader = MappingReader<Key>(node, in: self) else { return nil }
        let certificate = reader.required(.certificate, "name a PEM file with the certificate and its chain")
            .flatMap { contents($0, maximum: Self.maximumPEMSize) }
        let keyNode = reader.required(.key, "name a PEM file with the private key")
        let key = keyNode.flatMap { contents($0, maximum: Self.maximumPEMSize) }
        if let key, let keyNode { warnIfPublic(key.contents, key.path, at: keyNode.mark) }
        guard let certificate, let key else { return nil }
        let files = CertificateFiles(certificateChain: certificate.path, privateKey: key.path)
        guard let machine else { return DecodedCertificate(files: files, chain: nil) }
        let mark = reader.mark(of: .certificate)
        do throws(TLSError) {
            _ = try ServerContext(identities: [files], protocols: Server.protocols)
            let chain = try CertificateChain(pem: certificate.contents.bytes)
            judge(chain, certificate.path, at: mark, machine)
            return DecodedCertificate(files: files, chain: chain)
        } catch {
            self.error(
                at: mark, error.problem,
                error.remedy ?? "name a certificate with its chain, and the key that belongs to it, in PEM")
            return nil
        }
    }

    /// The days before its end from which a certificate is warned about: enough time to renew by hand.
    private static let daysOfWarning: Int64 = 14

    /// Whether browsers take it at this time, and for how long yet. The whole chain counts.
    func judge(_ chain: CertificateChain, _ path: String, at mark: Mark, _ machine: Machine) {
        let left = chain.validUntil - machine.now
        let remedy = "renew it, then reload the gateway"
        if left <= 0 {
            report(
                machine.expiredCertificate, at: mark,
                "the certificate \(path) expired on \(HTTPDate.format(chain.validUntil)): browsers refuse it", remedy)
        } else if chain.validFrom > machine.now {
            report(
                machine.expiredCertificate, at: mark,
                "the certificate \(path) is not valid before \(HTTPDate.format(chain.validFrom)): browsers refuse it",
                "look at this machine's clock, or use the one before until then")
        } else if left <= Self.daysOfWarning * 86_400 {
            let days = left / 86_400
            warning(
                at: mark,
                "the certificate \(path) expires on \(HTTPDate.format(chain.validUntil)), in "
                    + (days == 0 ? "less than a day" : days == 1 ? "one day" : "\(days) days"), remedy)
        }
    }
}

extension MappingReader {
    /// A certificate and its key to show to a server; nil without one, and for a faulty one, which is reported.
    func clientIdentity(_ certificateKey: Key, _ keyKey: Key) -> CertificateFiles? {
        guard self[certificateKey] != nil || self[keyKey] != nil else { return nil }
        let remedy = "name a certificate with its chain, and the key that belongs to it, in PEM"
        let certificate = required(certificateKey, remedy)
            .flatMap { context.contents($0, maximum: DecodingContext.maximumPEMSize) }
        let key = required(keyKey, remedy).flatMap { context.secretContents($0) }
        guard let certificate, let key else { return nil }
        let files = CertificateFiles(certificateChain: certificate.path, privateKey: key.path)
        guard context.machine != nil else { return files }
        do throws(TLSError) {
            _ = try ClientContext(identity: files)
            return files
        } catch {
            context.error(at: mark(of: certificateKey), error.problem, error.remedy ?? remedy)
            return nil
        }
    }
}
