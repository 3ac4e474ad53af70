internal import Glibc
internal import SwitchyardFiles

/// The user, folders and variables that systemd gives the gateway's service, as its unit file and the drop-ins beside
/// it say. A shell lacks them, so commands that look at a configuration for the service ask here.
struct ServiceUnit {
    let user: String?
    private let stateFolder: String?
    /// Folders that systemd makes at each start.
    let runtimeFolders: Set<String>

    private static let name = "switchyard.service"
    /// The first folder with a unit counts (systemd.unit(5)).
    private static let folders = [
        "/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]

    /// Finds the unit that serves this configuration, or nil.
    init?(serving configuration: String) {
        guard let text = Self.folders.lazy.compactMap({ TextFile.text("\($0)/\(Self.name)") }).first else { return nil }
        let more = Self.folders.reversed().flatMap { folder -> [String] in
            let folder = "\(folder)/\(Self.name).d"
            return ((try? Folder(folder).names()) ?? []).filter { $0.hasSuffix(".conf") }.compactMap {
                TextFile.text("\(folder)/\($0)")
            }
        }
        let settings = Self.settings(in: [text] + more)
        guard let start = settings["ExecStart"]?.last, Self.serves(configuration, start) else { return nil }
        user = settings["User"]?.last
        stateFolder = settings["StateDirectory"]?.last?.split(separator: " ").first.map { "/var/lib/\($0)" }
        runtimeFolders = Set(
            settings["RuntimeDirectory"]?.last?.split(separator: " ").map { "/run/\($0)" } ?? [])
    }

    /// Adds systemd's variables for the service to an environment that lacks them.
    func environment(beside own: [String: String]) -> [String: String] {
        var environment = own
        if own["STATE_DIRECTORY"] == nil { environment["STATE_DIRECTORY"] = stateFolder }
        let credentials = "/run/credentials/\(Self.name)"
        if own["CREDENTIALS_DIRECTORY"] == nil, FilePath.exists(credentials) {
            environment["CREDENTIALS_DIRECTORY"] = credentials
        }
        return environment
    }

    private static func serves(_ configuration: String, _ start: String) -> Bool {
        let words = start.split(separator: " ")
        guard words.contains("serve") else { return false }
        let named = words.firstIndex(of: "--config").flatMap {
            words.dropFirst(words.distance(from: 0, to: $0) + 1).first
        }
        return real(named.map(String.init) ?? ConfigurationFile.standardPath) == real(configuration)
    }

    private static func real(_ path: String) -> String {
        FilePath.real(path) ?? path
    }

    /// The settings of `[Service]`. An empty value takes earlier ones back.
    private static func settings(in texts: [String]) -> [String: [String]] {
        var settings: [String: [String]] = [:]
        for text in texts {
            var section = ""
            for line in text.split(separator: "\n") {
                let line = line.drop(while: \.isWhitespace)
                if line.hasPrefix("[") { section = String(line) }
                guard section.hasPrefix("[Service]"), !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else {
                    continue
                }
                let value = line[line.index(after: equals)...].trimmed
                settings[String(line[..<equals].trimmed), default: []].append(String(value))
                if value.isEmpty { settings[String(line[..<equals].trimmed)] = [] }
            }
        }
        return settings
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let rest = drop(while: \.isWhitespace)
        guard let end = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return rest[...end]
    }
}
