internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardRouting

/// The doubtful settings of a usable configuration.
struct ConfigurationCheck {
    let path: String
    let configuration: Configuration
    /// The warnings of its reading.
    let warned: [Diagnostic]

    var findings: [Finding] {
        let (apps, issuers) = (configuration.apps.count, configuration.issuers.count)
        return [
            .ok(
                .configuration, path,
                "it can be used: \(apps.counted("app")) at \(issuers.counted("issuer"))")
        ] + warnings + smells
    }

    /// The warnings of `check`, except those that other checks look at more closely.
    private var warnings: [Finding] {
        let files = configuration.listeners.flatMap(\.tls).map { "the certificate \($0.certificateChain) " }
        return warned.filter { diagnostic in
            !files.contains { diagnostic.message.hasPrefix($0) }
                && !diagnostic.message.hasPrefix("everybody on this machine can read ")
        }.map { diagnostic -> Finding in
            let location = "\(diagnostic.file):\(diagnostic.line)"
            guard diagnostic.fate == .leftOut else {
                return .warning(.configuration, location, diagnostic.message, why: nil, do: diagnostic.remedy)
            }
            return .error(
                .configuration, location, diagnostic.message,
                why: "after the next start the apps of this file cannot sign in", do: diagnostic.remedy)
        }
    }

    private var smells: [Finding] {
        var findings: [Finding] = []
        if !configuration.listeners.contains(where: { $0.serve.contains(.admin) }) {
            findings.append(
                .warning(
                    .configuration, path, "no listener serves admin",
                    why: "nobody can ask the gateway how it does: no metrics, no status, no explain, no console",
                    do: "add below listen:\n  - address: unix:/run/switchyard/admin.sock\n    serve: [admin]"))
        }
        if configuration.apps.isEmpty {
            findings.append(
                .error(
                    .configuration, path, "there is no app", why: "nobody can begin a sign-in",
                    do: "register one below apps"))
        }
        guard !configuration.publicURL.isLoopback else { return findings }
        for listener in configuration.listeners where listener.serve.contains(.admin) {
            guard case .tcp = listener.address else { continue }
            findings.append(
                .warning(
                    .configuration, "\(listener.address)", "every user of this machine can ask the admin listener",
                    why: "it tells who signs in, and from where, and takes a reload",
                    do:
                        "give it a Unix socket, address: unix:/run/switchyard/admin.sock; leave it where nobody else is, as in a "
                        + "container"))
        }
        if configuration.publicURL.isHTTPS, configuration.log.level == .error {
            findings.append(
                .warning(
                    .configuration, path, "the log has errors only",
                    why: "why a sign-in failed stands at the levels info and warning", do: "write log: { level: info }")
            )
        }
        return findings
    }
}
