internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// `switchyard register`: puts the schemes of apps into the desktop.
struct RegisterCommand: Command {
    static let name = "register"
    static let summary = "have the desktop bring an app's callbacks to its gateway"
    static let options: [Option] = [
        .value("id", "ID", "an app by its ID, instead of a file"),
        .value("scheme", "SCHEME", "the scheme of that app, such as msauth.com.contoso.app1"),
        .value("name", "NAME", "what that app is called (default: its ID)"),
        .flag("replace", "also take over a scheme that another program has"),
        .flag("system", "for everybody on this machine, in /usr/local/share/applications"),
    ]
    static let operands = Operands.optional("FILE")
    static let help = Help(
        """
        Takes a file with `apps:`, or an app's Info.plist in XML, and makes `switchyard open` the program that the \
        desktop calls for the schemes of its redirect URIs. Then asks GIO and xdg-mime who has them now, as browsers do. To \
        register what is registered changes nothing. A running agent is told, so that it knows the app when this ends.
        """,
        """
        A scheme that another program has is left to it, unless `--replace` says otherwise; then `switchyard unregister` \
        gives it back.
        """,
        exits: [
            .done: "the desktop knows the schemes", .failed: "another program has one, or the desktop says otherwise",
            .usage: "wrong usage, or no scheme that an app may have",
        ],
        examples: [
            "switchyard register ~/.config/switchyard/apps.d/mail.yaml",
            "switchyard register Mail.app/Contents/Info.plist",
            "switchyard register --id com.contoso.app1 --scheme msauth.com.contoso.app1",
        ])

    private let file: String?
    private let app: DesktopApp?
    private let replaces: Bool
    private let isForMachine: Bool

    init(_ options: Options) throws {
        file = options.operand
        replaces = options.has("replace")
        isForMachine = options.has("system")
        let words = ["id", "scheme", "name"].filter { options.has($0) }
        if file != nil {
            guard words.isEmpty else { throw UsageError(message: "--\(words[0]) has no meaning beside a file") }
            app = nil
            return
        }
        guard options.has("id") || options.has("scheme") else {
            throw UsageError(message: "FILE is missing, or --id and --scheme")
        }
        let id = try AppID(written: options.required("id"))
        let scheme = try options.required("scheme")
        do throws(URLScheme.SchemeError) {
            app = DesktopApp(id: id, name: options["name"] ?? id.text, schemes: [try URLScheme(scheme)])
        } catch {
            throw UsageError(message: "\"\(scheme.printable)\" \(error)")
        }
    }

    func run() throws -> ExitStatus {
        guard !Host.isFlatpak else {
            throw CommandError(
                "this is inside of Flatpak: what is registered here, the desktop outside does not see",
                hint: "register outside: flatpak-spawn --host switchyard register …")
        }
        guard let apps = try app.map({ [$0] }) ?? appsOfFile() else { return .usage }
        guard let program = OwnProcess.program else {
            throw CommandError("the kernel does not say where this program is")
        }
        let registration = isForMachine ? .ofMachine : try Registration.ofPerson()
        var results: [String] = []
        for app in apps {
            let outcome: Registration.Outcome
            do throws(Registration.RegistrationError) {
                outcome = try registration.register(app, program: program, replaces: replaces)
            } catch {
                for result in results { Terminal.say(result) }
                throw CommandError(error.description.printable, hint: error.hint)
            }
            for note in outcome.notes { Terminal.note("note: \(note.printable)") }
            let schemes = app.schemes.map(\.text).joined(separator: ", ")
            results.append("\(app.id): \(schemes) \(outcome.hasChanged ? "registered" : "was registered already")")
        }
        // The next command may ask the agent for the app.
        if !isForMachine {
            let isOfAgent = file?.hasSuffix(".yaml") == true || file?.hasSuffix(".yml") == true
            for note in AgentNews.tell(of: isOfAgent ? apps.map(\.id) : []) { Terminal.note("note: \(note.printable)") }
        }
        for result in results { Terminal.say(result) }
        return .done
    }

    /// nil when there were errors, which were told.
    private func appsOfFile() throws -> [DesktopApp]? {
        guard let file else { throw UsageError(message: "a FILE is missing") }
        let bytes = try TextFile.bytes(file, maximum: 4 << 20)
        if DesktopApp.isInfoPlist(bytes) {
            do throws(DesktopApp.DescriptionError) {
                return [try DesktopApp(infoPlist: bytes)]
            } catch {
                throw CommandError("\(file): \(error.description.printable)", status: .usage)
            }
        }
        let read = AppFile(bytes, name: file)
        Terminal.note(read.diagnostics)
        guard let apps = read.apps else { return nil }
        let found = try apps.compactMap { app in try DesktopApp(app, in: file) }
        guard !found.isEmpty else {
            throw CommandError(
                "\(file): none of its apps has a redirect URI with a scheme of its own",
                hint: "https callbacks come to a gateway; there is nothing to register for them", status: .usage)
        }
        return found
    }
}

/// `switchyard unregister`: takes an app's schemes out of the desktop.
struct UnregisterCommand: Command {
    static let name = "unregister"
    static let summary = "take an app's schemes out of the desktop"
    static let options: [Option] = [.flag("system", "the registration for all users of this machine")]
    static let operands = Operands.one("ID")
    static let help = Help(
        """
        Takes out what `switchyard register` has put in: the desktop entry, its associations, and files and folders that were \
        made for it. A scheme that was another program's before is that program's again.
        """,
        exits: [
            .done: "the desktop knows nothing of the app", .failed: "it could not be taken out", .usage: "wrong usage",
        ],
        examples: ["switchyard unregister com.contoso.app1"])

    private let id: AppID
    private let isForMachine: Bool

    init(_ options: Options) throws {
        id = try AppID(written: options.operand ?? "")
        isForMachine = options.has("system")
    }

    func run() throws -> ExitStatus {
        let registration = isForMachine ? .ofMachine : try Registration.ofPerson()
        do throws(Registration.RegistrationError) {
            let outcome = try registration.unregister(id)
            for note in outcome.notes { Terminal.note("note: \(note.printable)") }
            Terminal.say(outcome.hasChanged ? "\(id): taken out" : "\(id): was not registered")
            return .done
        } catch {
            throw CommandError(error.description.printable, hint: error.hint)
        }
    }
}

extension Registration.RegistrationError {
    fileprivate var hint: String? {
        switch self {
        case .taken: "remove that program's entry, or take the scheme over: --replace"
        case .folder, .program, .unverified: nil
        }
    }
}

extension AppID {
    fileprivate init(written text: String) throws {
        guard let id = AppID(text) else {
            throw UsageError(
                message:
                    "\"\(text.printable)\" is no app's ID: letters, digits and .-_, at most 128, a letter or digit first"
            )
        }
        self = id
    }
}

extension DesktopApp {
    /// nil for an app without a scheme of its own.
    fileprivate init?(_ app: AppFile.App, in file: String) throws {
        var schemes: [URLScheme] = []
        for uri in app.redirectURIs {
            guard case .customScheme(let scheme, _) = uri.form else { continue }
            do throws(URLScheme.SchemeError) {
                schemes.append(try URLScheme(scheme))
            } catch {
                throw CommandError("\(file): \(app.id): the scheme of \(uri) \(error)", status: .usage)
            }
        }
        guard !schemes.isEmpty else { return nil }
        self.init(id: app.id, name: app.name, schemes: schemes)
    }
}
