public import SwitchyardCrypto
public import SwitchyardHTTPClient
public import SwitchyardRouting

/// A whole configuration, fully checked. Safe from any thread.
public struct Configuration: Sendable {
    /// The place of pending token requests.
    public enum Store: Hashable, Sendable {
        /// In this process; they end with it.
        case memory
        /// In a database of this machine; they outlive the process.
        case sqlite(path: String)
        /// At servers that other gateways use too.
        case redis(RedisStoreConfiguration)

        /// Whether requests are still there for another process.
        public var outlivesProcess: Bool { self != .memory }

        /// The place of the requests, without credentials. Two configurations with the same place share their requests.
        public var place: String {
            switch self {
            case .memory: "memory"
            case .sqlite(let path): "sqlite:\(path)"
            case .redis(let redis): redis.place
            }
        }
    }

    public let publicURL: PublicURL
    /// The proxies with trusted forwarding headers.
    public let trustedProxies: TrustedProxies
    /// The networks in which `release: same_network` may pass, beside loopback.
    public let networks: [Network]
    /// Never empty.
    public let listeners: [ListenerConfiguration]
    /// Whether browsers come to it. An agent mostly has no page: what browsers bring is relayed to it.
    public var servesBrowsers: Bool { listeners.contains { $0.serve.contains(.callbacks) } }
    public let store: Store
    /// The keys, newest first. Empty if the configuration names no key, which is right for a store that ends with the
    /// process.
    public let encryptionKeys: [KeyRing.Key]
    /// How calls to issuers, webhooks and other gateways leave.
    public internal(set) var route: OutgoingRoute
    /// In the order of the file; each name once.
    public let issuers: [IssuerConfiguration]
    /// Every app, and the routes to it. Every app's issuer is one of ``issuers``.
    public let routes: RouteTable
    public let limits: Limits
    /// The time for requests under way after a gateway was told to stop.
    public let stopTimeout: Duration
    public let log: LogConfiguration
    public let pages: PagesConfiguration
    /// For an agent: the `use_from` lists in all of its files, also in those that are left out. A file that conflicts
    /// with another one must not free that file's tokens.
    public internal(set) var fileLists: [FileList] = []
    /// For an agent: the files whose lists are unknown.
    public internal(set) var unknownLists: [UnknownLists] = []

    /// The clients of other tools for which it serves documents.
    public internal(set) var clients: [HostedClient] = []

    public var apps: [AppRegistration] { routes.apps }

    /// Whether issuers may be reached by plain http on loopback: only while the gateway itself is on loopback.
    public var allowsLoopbackHTTP: Bool { publicURL.isLoopback }

    /// Whether a caller of the API may show a certificate that counts for some app.
    public var asksForClientCertificates: Bool {
        apps.contains { $0.beginFrom?.clientCertificates.isEmpty == false }
    }

    public func issuer(of app: AppRegistration) -> IssuerConfiguration? {
        issuers.first { $0.name == app.issuer }
    }
}

/// A `use_from` list in a file of an agent. Safe from any thread.
public struct FileList: Sendable {
    /// nil for every issuer, if the definition of the app's own is missing or has errors.
    public let issuer: IssuerConfiguration?
    public let clientID: String
    public let useFrom: UseFrom
}

/// The outcome of reading a configuration. Safe from any thread.
public enum LoadOutcome: Sendable {
    case usable(LoadedConfiguration)
    /// Errors, one at least, and warnings, in the order of the files and of the places in them. `source` is nil when the
    /// main file could not be read.
    case refused([Diagnostic], source: ConfigurationSource?)

    /// nil when it was refused.
    public var configuration: Configuration? {
        if case .usable(let loaded) = self { loaded.configuration } else { nil }
    }

    /// The errors and warnings.
    public var diagnostics: [Diagnostic] {
        switch self {
        case .usable(let loaded): loaded.warnings
        case .refused(let diagnostics, _): diagnostics
        }
    }

    /// The source that was read; nil if the main file could not be read.
    public var source: ConfigurationSource? {
        switch self {
        case .usable(let loaded): loaded.source
        case .refused(_, let source): source
        }
    }
}

/// A configuration that can be used, and how it came to be. Safe from any thread.
public struct LoadedConfiguration: Sendable {
    public internal(set) var configuration: Configuration
    /// In the order of the files and of the places in them.
    public let warnings: [Diagnostic]
    public let source: ConfigurationSource

    /// The files with apps that are not in use as they are.
    public var leftOut: [LeftOutFile] {
        var known: Set<String> = []
        let files = warnings.compactMap { diagnostic -> LeftOutFile? in
            guard let fate = diagnostic.fate, known.insert(diagnostic.file).inserted else { return nil }
            return LeftOutFile(
                file: diagnostic.file, reason: "\(diagnostic)", servesEarlierVersion: fate == .earlierVersion)
        }
        return files.sorted { $0.file < $1.file }
    }
}

/// A file with apps that has errors, while everything else is in use. Safe from any thread.
public struct LeftOutFile: Hashable, Sendable {
    public let file: String
    /// The first of its errors, with its place and its remedy. Holds no secret.
    public let reason: String
    /// Whether the apps of its last good version are in use.
    public let servesEarlierVersion: Bool

    public init(file: String, reason: String, servesEarlierVersion: Bool) {
        self.file = file
        self.reason = reason
        self.servesEarlierVersion = servesEarlierVersion
    }
}

/// The source of a configuration: the text of the main file, and the files that it names. Safe from any thread.
public struct ConfigurationSource: Sendable {
    fileprivate let file: SourceFile
    /// It may hold secrets.
    fileprivate let text: Secret
    /// The files that it was read from, including those that it was refused for.
    public let files: WatchedFiles
    /// Paths of those that hold secrets.
    public let secretFiles: Set<String>
    /// The apps of each file of `apps_directory` that are in use.
    fileprivate let versions: FileVersions
    /// The last readable version of the `use_from` lists in each file of an agent.
    fileprivate let lists: [String: FileLists]
}

extension Configuration {
    /// Reads and checks a configuration file and the files that it names. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - path: the main file; messages name it as it is given here.
    ///   - environment: the variables for `${NAME}` in the main file.
    ///   - looksAtMachine: whether it is for this machine: then certificates must fit their keys, and groups must
    ///     exist.
    ///   - expiredCertificate: the level of a listener's certificate that a browser would refuse by its dates. A
    ///     gateway that runs, or restarts, keeps serving its other clients.
    ///   - leavesFaultyOut: whether a file of `apps_directory` with errors is left out, with warnings.
    ///   - earlier: the configuration in use. Its version of such a file stays in use.
    ///   - managedFolders: folders for sockets that a service manager makes before the gateway starts.
    ///   - repairsKeyFiles: whether a key file of this user's that others can read is closed to them, with a warning.
    /// - Returns: the configuration, unless there were errors; and all errors and warnings.
    public static func load(
        path: String, environment: [String: String], looksAtMachine: Bool = true,
        expiredCertificate: Diagnostic.Severity = .error, leavesFaultyOut: Bool = false,
        after earlier: ConfigurationSource? = nil, managedFolders: Set<String> = [], repairsKeyFiles: Bool = false
    ) -> LoadOutcome {
        let machine = Machine(
            expiredCertificate: expiredCertificate, managedFolders: managedFolders, repairsKeyFiles: repairsKeyFiles)
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) }
        let file = SourceFile(
            name: path, directory: directory == "" ? "/" : directory ?? "", role: .main(environment: environment))
        do {
            let bytes = try FileSystem.read(path, maximum: MainFile.maximumSize).bytes
            return load(
                bytes, as: file, on: looksAtMachine ? machine : nil, leavesFaultyOut: leavesFaultyOut, after: earlier)
        } catch {
            let remedy = error.isDenied ? ReadAdvice.remedy(for: path) : nil
            let diagnostic = Diagnostic(
                severity: .error, file: path, line: 1, column: 1, message: "it cannot be read: \(error.reason)",
                remedy: remedy ?? "name a file that this user can read")
            return .refused([diagnostic], source: nil)
        }
    }

    /// Reads and checks an agent's configuration: its own file, which may be missing, and the files of its folders.
    ///
    /// - Parameters:
    ///   - path: its own file.
    ///   - places: where else it looks, and where it listens.
    ///   - leavesFaultyOut: whether a file of the folders that has errors is left out, with warnings, instead of
    ///     keeping all apps of this desktop from signing in.
    ///   - earlier: the configuration in use. Its `use_from` lists of a file that cannot be read now stay in force.
    /// - Returns: as ``load(path:environment:looksAtMachine:expiredCertificate:)``. Blocks on the disk.
    public static func load(
        agent path: String, places: AgentPlaces, environment: [String: String], leavesFaultyOut: Bool,
        after earlier: ConfigurationSource? = nil
    ) -> LoadOutcome {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        let file = SourceFile(
            name: path, directory: directory, role: .main(environment: environment), agent: places)
        do throws(FileSystem.Failure) {
            return load(
                try AgentFiles.read(path), as: file, on: Machine(expiredCertificate: .warning),
                leavesFaultyOut: leavesFaultyOut, after: earlier)
        } catch {
            let diagnostic = Diagnostic(
                severity: .error, file: path, line: 1, column: 1, message: "it cannot be read: \(error.reason)",
                remedy: error.remedy ?? "make it a plain file of this user's that nobody else can change")
            return .refused([diagnostic], source: nil)
        }
    }

    /// The configuration of an agent inside another command, from a text in memory.
    /// - Parameter route: the way of its calls, which may hold a proxy's password.
    public static func load(agentText text: String, places: AgentPlaces, route: OutgoingRoute) -> LoadOutcome {
        let file = SourceFile(name: "", directory: "", role: .main(environment: [:]), agent: places)
        let outcome = load(
            Array(text.utf8), as: file, on: Machine(expiredCertificate: .warning), leavesFaultyOut: false)
        guard case .usable(var loaded) = outcome else { return outcome }
        loaded.configuration.route = route
        return .usable(loaded)
    }

    /// Reads the files that a main file names again, but not the main file itself: its author has not asked for a
    /// reload yet. A file of apps with errors is left out, or its last good version stays in use. Blocks on the disk.
    public static func load(
        again source: ConfigurationSource, expiredCertificate: Diagnostic.Severity = .error
    ) -> LoadOutcome {
        load(
            source.text.exposedBytes, as: source.file, on: Machine(expiredCertificate: expiredCertificate),
            leavesFaultyOut: true, after: source)
    }

    /// The same for a text that is already in memory.
    ///
    /// - Parameters:
    ///   - file: its name in messages.
    ///   - directory: the base of relative paths; empty for the current directory.
    public static func load(
        text: String, file: String, directory: String, environment: [String: String], looksAtMachine: Bool = true,
        leavesFaultyOut: Bool = false, after earlier: ConfigurationSource? = nil
    ) -> LoadOutcome {
        let file = SourceFile(name: file, directory: directory, role: .main(environment: environment))
        return load(
            Array(text.utf8), as: file, on: looksAtMachine ? Machine(expiredCertificate: .error) : nil,
            leavesFaultyOut: leavesFaultyOut, after: earlier)
    }

    /// The tries to find the conflicting files that can stay. After them all files with errors are left out, so that a
    /// team's files cannot keep the gateway busy.
    private static let maximumAttempts = 8

    /// - Parameters:
    ///   - machine: nil if the configuration is for another machine.
    ///   - earlier: the configuration that supplies the last good version of a file with errors.
    private static func load(
        _ bytes: [UInt8], as file: SourceFile, on machine: Machine?, leavesFaultyOut: Bool,
        after earlier: ConfigurationSource? = nil
    ) -> LoadOutcome {
        var choices = FileChoices()
        var faults: [Diagnostic] = []
        let files = ReadFiles(lists: earlier?.lists ?? [:])
        var attempt = 0
        while true {
            attempt += 1
            files.beginAttempt()
            let log = DiagnosticLog()
            let context = DecodingContext(file: file, log: log, machine: machine, files: files, choices: choices)
            var configuration = MainFile.decode(bytes, in: context)
            if configuration == nil, leavesFaultyOut {
                let faulty = log.faultyFiles(beside: file, takesAll: attempt > maximumAttempts)
                    .subtracting(choices.leftOut)
                if !faulty.isEmpty {
                    for path in faulty { choices.giveUp(path, earlier?.versions ?? FileVersions()) }
                    faults += log.sorted.filter { $0.severity == .error && faulty.contains($0.file) }
                    continue
                }
            }
            if file.agent != nil, let clientIDs = configuration.map({ Set($0.apps.map(\.clientID)) }) {
                configuration?.unknownLists = choices.leftOut.sorted().filter { files.lists[$0] == nil }.map { path in
                    let fault = faults.first { $0.file == path }
                    return UnknownLists(
                        file: path, reason: fault.map { "\($0.message); \($0.remedy)" } ?? "it cannot be read",
                        clientIDs: clientIDs.filter { files.unread[path]?.mayMention($0) ?? true })
                }
            }
            let source = ConfigurationSource(
                file: file, text: Secret(bytes), files: files.files, secretFiles: files.secrets,
                versions: FileVersions(configuration?.apps ?? [], files.ranges), lists: files.lists)
            let diagnostics = faults.map { $0.leaving(choices.fate(of: $0.file)) } + log.sorted
            guard let configuration else { return .refused(diagnostics, source: source) }
            return .usable(LoadedConfiguration(configuration: configuration, warnings: diagnostics, source: source))
        }
    }
}
