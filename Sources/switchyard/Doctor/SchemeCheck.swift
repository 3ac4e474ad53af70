internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The schemes of the agent's apps: which program of this desktop has each.
struct SchemeCheck {
    private let apps: [AppRegistration]

    /// - Parameter outcome: the configuration as the agent would read it.
    init(_ outcome: LoadOutcome) { apps = outcome.configuration?.apps ?? [] }

    var findings: [Finding] { wanted.map { finding($0) } + broken }

    /// An app of the agent with a scheme of its own.
    private struct Wanted {
        let app: DesktopApp
        let scheme: URLScheme
    }

    private var wanted: [Wanted] {
        apps.flatMap { app -> [Wanted] in
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
}
