internal import SwitchyardAgent
internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardTokenStorage

/// The requirements of a sign-in on a person's desktop: the agent, and the desktop's own parts.
struct DesktopCheck {
    /// The configuration as the agent would read it.
    let outcome: LoadOutcome
    let path: String

    func findings() -> [Finding] {
        // The agent's files and the schemes' owners are visible only outside of the sandbox. So is the bus, since the
        // sandbox's proxy for it does not work with sd-bus on Debian 12.
        if Host.isFlatpak { return [agent, sandbox].compactMap(\.self) }
        let bus = SessionBusCheck().findings
        let hasKeyring = bus.contains { $0.subject == "keyring" && $0.level == .ok }
        let tokens = hasKeyring ? [] : [tokenFile]
        return [configuration] + unknownLists + openApps + [agent] + SchemeCheck(outcome).findings
            + [xdgOpen, display, sandbox].compactMap(\.self) + bus + tokens
    }

    // MARK: The agent

    private var configuration: Finding {
        let faults = outcome.diagnostics.filter { $0.severity == .error || $0.leavesFileOut }
        if let first = faults.first {
            return Finding(
                area: .desktop, level: outcome.configuration == nil ? .error : .warning, subject: path,
                what: faults.map { "\($0.file):\($0.line): \($0.message)" }.joined(separator: "\n"),
                why: outcome.configuration == nil
                    ? "the agent does not start" : "the apps of these files cannot sign in", remedy: first.remedy)
        }
        let count = outcome.configuration?.apps.count ?? 0
        guard count > 0 else {
            return .warning(
                .desktop, path, "the agent has no apps", why: "there is nobody to sign in for",
                do: "put a file with `issuers` and `apps` into apps.d beside it")
        }
        return .ok(.desktop, path, "it can be used: \(count.counted("app"))")
    }

    /// The files that keep an agent from giving tokens, until they can be read.
    private var unknownLists: [Finding] {
        (outcome.configuration?.unknownLists ?? []).filter { !$0.clientIDs.isEmpty }.map { unknown -> Finding in
            let clients = unknown.clientIDs.sorted().joined(separator: ", ")
            return .error(
                .desktop, unknown.file, "its use_from lists are unknown: \(unknown.reason)",
                why: "an agent that starts now gives no tokens of client \(clients)",
                do: "mend or remove the file")
        }
    }

    /// The apps whose tokens an agent gives to any program of this user.
    private var openApps: [Finding] {
        guard let configuration = outcome.configuration else { return [] }
        // The lists of other apps with the same tokens count, too.
        let agent = Agent()
        agent.adopt(configuration)
        let open = configuration.apps.filter { agent.lists(for: $0).isEmpty && agent.unknownLists(for: $0) == nil }.map(
            \.id.text)
        guard !open.isEmpty else { return [] }
        let shown = open.prefix(3).joined(separator: ", ") + (open.count > 3 ? " and \(open.count - 3) more" : "")
        return [
            .ok(
                .desktop, path,
                "any program of this user may ask for tokens of \(shown): use_from can say which programs may")
        ]
    }

    private var agent: Finding {
        do throws(AgentFolder.FolderError) {
            if let folder = try AgentFolder.find(), UnixSocket.isListening(at: folder.socket) {
                return .ok(.desktop, "agent", "it takes connections at \(folder.socket)")
            }
        } catch {
            return .error(.desktop, "agent", error.description, why: "nobody gives it a code there", do: error.remedy)
        }
        guard !Host.isFlatpak else {
            return .error(
                .desktop, "agent", "it cannot be reached from inside of Flatpak",
                why: "an app in here can begin no sign-in and get no token", do: AgentStart.wayOut)
        }
        return .warning(
            .desktop, "agent", "none runs", why: "apps find none to begin a sign-in with; a callback begins one",
            do: "systemctl --user enable --now switchyard-agent.socket, or without systemd: switchyard agent")
    }

    // MARK: The desktop

    private var xdgOpen: Finding {
        guard let path = DesktopTool.path(of: "xdg-open") else {
            return .warning(
                .desktop, "xdg-open", "it is not installed",
                why: "no program here can open a browser, and Chromium no scheme",
                do: "apt install xdg-utils")
        }
        if let text = TextFile.text(path), !text.contains("x-scheme-handler"), !text.contains("xdg-desktop-portal"),
            text.hasPrefix("#!")
        {
            return .warning(
                .desktop, path, "it is a stub: it knows nothing of schemes",
                why: "whoever opens an address by it gets what the stub does instead", do: "apt install xdg-utils")
        }
        return .ok(.desktop, "xdg-open", path)
    }

    private var display: Finding {
        if let name = ["WAYLAND_DISPLAY", "DISPLAY"].first(where: { Environment[$0]?.isEmpty == false }) {
            return .ok(.desktop, "display", "\(name) is set")
        }
        return .warning(
            .desktop, "display", "there is none", why: "no browser opens here",
            do: "sign in with a browser elsewhere: docs/quick-start/elsewhere.md")
    }

    private var sandbox: Finding? {
        if Host.isFlatpak {
            return .warning(
                .desktop, "sandbox", "this is inside of Flatpak",
                why:
                    "neither the agent's apps nor who has their schemes is seen in here, and nothing can be registered",
                do: "run this outside as well: flatpak-spawn --host switchyard doctor --desktop")
        }
        guard let snap = Environment["SNAP_NAME"] else { return nil }
        return .warning(
            .desktop, "sandbox", "this is inside of the snap \(snap)",
            why: "its home and its runtime folder are not those of the desktop", do: "run this in a terminal outside")
    }

    /// The file in which the agent keeps tokens without a keyring.
    private var tokenFile: Finding {
        do throws(TokenStorageError) {
            try EncryptedFileStorage(name: "tokens").inspect()
            return .ok(.desktop, "tokens", "without a keyring, the agent can keep them in an encrypted file")
        } catch {
            return .warning(
                .desktop, "tokens", "the agent cannot keep them: \(error.message)",
                why: "who has signed in has to do so again when the agent has ended", do: error.remedy)
        }
    }
}
