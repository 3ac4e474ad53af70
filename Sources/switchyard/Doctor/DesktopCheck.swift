internal import Glibc
internal import SwitchyardAgent
internal import SwitchyardConfiguration
internal import SwitchyardDBus
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardTokenStorage

/// The requirements of a sign-in on a person's desktop: the agent, the schemes of its apps, and the desktop's own
/// parts.
struct DesktopCheck {
    /// The configuration as the agent would read it.
    let outcome: LoadOutcome
    let path: String

    /// An app of the agent with a scheme of its own.
    private struct Wanted {
        let app: DesktopApp
        let scheme: URLScheme
    }

    private var wanted: [Wanted] {
        (outcome.configuration?.apps ?? []).flatMap { app -> [Wanted] in
            let schemes = app.redirectURIs.compactMap { uri -> URLScheme? in
                guard case .customScheme(let text, _) = uri.form else { return nil }
                return try? URLScheme(text)
            }
            let known = DesktopApp(id: app.id, name: app.name, schemes: schemes)
            return known.schemes.map { Wanted(app: known, scheme: $0) }
        }
    }

    /// Registers free schemes, and mends entries that lead to a moved program. Schemes of other programs stay theirs.
    /// - Returns: the repairs, and the failures.
    func repair() -> [String] {
        guard !Host.isFlatpak else { return [] }
        guard let program = OwnProcess.program else { return [] }
        let broken = Set(wanted.filter { needsRegistration($0) }.map(\.app))
        return broken.sorted { $0.id.text < $1.id.text }.map { app in
            do throws(Registration.RegistrationError) {
                _ = try Registration.ofPerson().register(app, program: program, replaces: false)
                return "\(app.id): \(app.schemes.map(\.text).joined(separator: ", ")) registered"
            } catch {
                return "\(app.id): not repaired: \(error)"
            }
        }
    }

    private func needsRegistration(_ wanted: Wanted) -> Bool {
        guard let owner = SchemeLookup.ofPerson.owner(of: wanted.scheme) else { return true }
        return owner.app != nil && owner.program.map { !FilePath.isExecutable($0) } ?? true
    }

    func findings() -> [Finding] {
        // The agent's files and the schemes' owners are visible only outside of the sandbox. So is the bus, since the
        // sandbox's proxy for it does not work with sd-bus on Debian 12.
        if Host.isFlatpak { return [agent, sandbox].compactMap(\.self) }
        let bus = self.bus
        let hasKeyring = bus.contains { $0.subject == "keyring" && $0.level == .ok }
        let tokens = hasKeyring ? [] : [tokenFile]
        return [configuration] + unknownLists + openApps + [agent] + schemes
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
            if let folder = try AgentFolder.find(), OwnProcess.isListening(at: folder.socket) {
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

    // MARK: Schemes

    private var schemes: [Finding] { wanted.map { finding($0) } + broken }

    private func finding(_ wanted: Wanted) -> Finding {
        let (scheme, id) = (wanted.scheme, wanted.app.id)
        let register = "switchyard register --id \(id) --scheme \(scheme), or `switchyard doctor --fix`"
        guard let owner = SchemeLookup.ofPerson.owner(of: scheme) else {
            return .error(
                .desktop, scheme.text, "no program of this desktop has it",
                why: "a click on a callback does nothing at all",
                do: register)
        }
        guard owner.app != nil else {
            return .error(
                .desktop, scheme.text, "it belongs to \(owner.name) (\(owner.path))",
                why: "callbacks of \(id) go there", do: "remove that entry, or: \(register) --replace")
        }
        if let program = owner.program, !FilePath.isExecutable(program) {
            return .error(
                .desktop, scheme.text, "\(owner.path) starts \(program), which is not there",
                why: "a click on a callback does nothing at all", do: register)
        }
        let opinion = DesktopOpinion(of: scheme)
        if let wrong = opinion.verdicts.first(where: { $0 != .notAsked && $0 != .program(owner.entry) }) {
            return .error(
                .desktop, scheme.text, "GIO says \(opinion.gio), xdg-mime says \(opinion.xdgMIME)",
                why: "some browsers give callbacks to \(wrong)",
                do: "look for \(scheme.mimeType) in the mimeapps.list files, then: \(register)")
        }
        guard !DesktopOpinion.xdgOpenMistakes(scheme) else {
            return .warning(
                .desktop, scheme.text, "the xdg-open of this machine takes it for a file's name, since it has a digit",
                why: "outside of sessions like GNOME's and KDE's, browsers that use xdg-open bring nothing",
                do: "xdg-utils 1.2 or later, or a scheme without digits")
        }
        return .ok(.desktop, scheme.text, "every way a browser asks leads to \(owner.entry)")
    }

    /// Our desktop entries for apps that the agent does not have.
    private var broken: [Finding] {
        let known = Set(wanted.map(\.app.id.text))
        return Registration.entries().compactMap { entry in
            if !entry.isReadable {
                return .error(
                    .desktop, entry.path, "it is not a valid desktop entry", why: "desktops ignore it",
                    do: "switchyard unregister \(entry.app), then register it again")
            }
            if let answer = DesktopTool.run("desktop-file-validate", [entry.path]), !answer.text.isEmpty {
                return .error(
                    .desktop, entry.path, "desktop-file-validate says: \(answer.text)",
                    why: "some desktops pass over it",
                    do: "switchyard unregister \(entry.app), then register it again")
            }
            guard !known.contains(entry.app) else { return nil }
            return .warning(
                .desktop, entry.path, "it is for \(entry.app), which the agent does not know",
                why: "its callbacks are nobody's, unless the gateway of this machine knows it",
                do: "switchyard unregister \(entry.app), or register the app with the agent")
        }
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

    // MARK: The session bus

    private var bus: [Finding] {
        guard let address = BusConnection.sessionAddress else { return [noBus("there is none")] }
        do {
            return try runToEnd { () async throws -> [Finding] in
                let bus = try BusConnection(to: address, on: .required)
                defer { bus.close() }
                return [await Self.keyring(bus), await Self.notifications(bus)] + (await Self.broker(bus))
            }
        } catch {
            return [noBus("it cannot be asked at \(address): \(error)")]
        }
    }

    private func noBus(_ what: String) -> Finding {
        .warning(
            .desktop, "session bus", what,
            why: "there is no keyring for tokens, and nobody to tell the person what went wrong",
            do: "log in to a desktop, or run this below dbus-run-session")
    }

    private static func keyring(_ bus: BusConnection) async -> Finding {
        let name = DesktopKeyring.name
        let advice = "start gnome-keyring or KWallet with the session; tokens are in an encrypted file meanwhile"
        do throws(BusError) {
            guard try await DesktopKeyring.isOffered(on: bus) else {
                return .warning(
                    .desktop, "keyring", "there is none", why: "tokens are kept in a file instead", do: advice)
            }
            guard KeyringStorage.isInstalled else {
                return .warning(
                    .desktop, "keyring", "there is one, but libsecret is missing",
                    why: "tokens are kept in a file instead",
                    do: "\(KeyringStorage.installation), and start the agent again")
            }
            let values = try await bus.call(
                BusMethod(name, "/org/freedesktop/secrets/aliases/default", "org.freedesktop.DBus.Properties", "Get"),
                [.string("org.freedesktop.Secret.Collection"), .string("Locked")])
            guard values.first != .variant(.boolean(true)) else {
                return .warning(
                    .desktop, "keyring", "it is locked", why: "nobody gets a token from it before somebody unlocks it",
                    do: "unlock it; one with the password of the login is unlocked by that")
            }
            return .ok(.desktop, "keyring", "it is there and unlocked")
        } catch BusError.timedOut {
            return .warning(
                .desktop, "keyring", "it does not answer: \(BusError.timedOut)",
                why: "no program gets a token before it does", do: "see whether it waits for somebody, or end it")
        } catch {
            return .warning(
                .desktop, "keyring", "it does not answer: \(error)", why: "tokens are kept in a file instead",
                do: advice)
        }
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

    private static func notifications(_ bus: BusConnection) async -> Finding {
        let name = "org.freedesktop.Notifications"
        let why = "a person whose callback goes nowhere is not told"
        do throws(BusError) {
            let isThere = try await bus.hasOwner(name)
            guard isThere ? true : try await bus.canStart(name) else {
                return .warning(
                    .desktop, "notifications", "no program shows them", why: why,
                    do: "run a notification daemon, such as dunst")
            }
            return .ok(.desktop, "notifications", "they are shown")
        } catch {
            return .warning(
                .desktop, "notifications", "whether a program shows them, the session bus does not say: \(error)",
                why: why, do: "look at the bus itself: busctl --user list")
        }
    }

    private static func broker(_ bus: BusConnection) async -> [Finding] {
        let name = "com.microsoft.identity.broker1"
        let isThere = try? await bus.hasOwner(name)
        let canStart = try? await bus.canStart(name)
        guard isThere == true || canStart == true else { return [] }
        return [
            .ok(
                .desktop, "Microsoft's broker",
                "\(name) is on this bus: apps that use it sign in beside us, and neither sees the other's tokens")
        ]
    }
}
