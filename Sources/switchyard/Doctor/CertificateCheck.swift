internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardTLS
internal import SwitchyardText

/// The certificates of the configuration, as a browser would judge them today. Blocks on the disk.
struct CertificateCheck {
    let configuration: Configuration
    let trustAnchor: String?

    var findings: [Finding] {
        var seen: Set<String> = []
        var findings: [Finding] = []
        for listener in configuration.listeners where !listener.serve.isDisjoint(with: [.callbacks, .api]) {
            for files in listener.tls where seen.insert(files.certificateChain).inserted {
                findings += self.findings(of: files, listener)
            }
        }
        return findings
    }

    private func findings(of files: CertificateFiles, _ listener: ListenerConfiguration) -> [Finding] {
        guard let text = TextFile.text(files.certificateChain), let chain = try? CertificateChain(pem: Array(text.utf8))
        else {
            return []
        }
        // Behind a proxy, browsers see the proxy's certificate; only the proxy sees this one.
        let meetsBrowsers = listener.serve.contains(.callbacks) && configuration.trustedProxies.isEmpty
        var findings = [
            Self.lifetime(of: chain, files.certificateChain, meetsBrowsers ? "browsers refuse it" : "clients refuse it")
        ]
        if let finding = trust(chain, files.certificateChain, meetsBrowsers) { findings.append(finding) }
        return findings
    }

    /// How long a certificate lives yet: 14 days or fewer are a warning.
    static func lifetime(of chain: CertificateChain, _ subject: String, _ what: String) -> Finding {
        let now = WallTime.now().seconds
        let left = chain.validUntil - now
        let end = HTTPDate.format(chain.validUntil)
        if left <= 0 {
            return .error(
                .certificates, subject, "it expired on \(end)", why: "\(what), so nobody can sign in",
                do: "renew it, then: switchyard reload")
        }
        if chain.validFrom > now {
            return .error(
                .certificates, subject, "it is not valid before \(HTTPDate.format(chain.validFrom))",
                why: "\(what) until then", do: "look at this machine's clock, or use the one before until then")
        }
        let days = left / 86_400
        let words = days == 0 ? "in less than a day" : days == 1 ? "in one day" : "in \(days) days"
        if days <= 14 {
            return .warning(
                .certificates, subject, "it ends \(words), on \(end)", why: "then \(what)",
                do: "renew it, then: switchyard reload")
        }
        return .ok(.certificates, subject, "it ends \(words), on \(end)")
    }

    private func trust(_ chain: CertificateChain, _ subject: String, _ meetsBrowsers: Bool) -> Finding? {
        let extra = ([trustAnchor] + configuration.issuers.map(\.trustAnchor?.path)).compactMap { path in
            path.flatMap { TextFile.text($0) }.map { Array($0.utf8) }
        }
        guard let bare = try? chain.verdict() else { return nil }
        if bare == .believed {
            return .ok(.certificates, subject, "an authority has issued it that this machine believes")
        }
        if let verdict = try? chain.verdict(authorities: extra), verdict == .believed {
            return .ok(
                .certificates, subject,
                "an authority of your own has issued it (--ca, or the ca of an issuer); browsers have to know that one too"
            )
        }
        let what: String
        var remedy = "get one from an authority that browsers know, or name yours here: switchyard doctor --ca FILE"
        switch bare {
        case .believed: return nil
        case .selfSigned: what = "nobody but itself vouches for it (self-signed)"
        case .incomplete:
            what = "it stands alone, and this machine does not know who has issued it"
            remedy =
                "write the intermediate certificates behind it into the same file, or name your authority: --ca FILE"
        case .unknownAuthority: what = "its authority is none that this machine believes"
        case .unfit(let words): what = "browsers would not take it: \(words)"
        }
        // For development, and behind a proxy that is set up for it, that is as it should be.
        guard meetsBrowsers, !configuration.publicURL.isLoopback else {
            let reason =
                configuration.publicURL.isLoopback
                ? "browsers of this machine ask or refuse until they know it; for development that may be meant"
                : "the proxy in front must believe it, or not look"
            return .warning(.certificates, subject, what, why: reason, do: remedy)
        }
        return .error(.certificates, subject, what, why: "browsers refuse it, so nobody can sign in", do: remedy)
    }
}
