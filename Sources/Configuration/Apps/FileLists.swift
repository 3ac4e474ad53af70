internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The issuers and the `use_from` lists in one file of an agent, even if the file has other errors.
struct FileLists: Sendable {
    struct List: Sendable {
        /// nil if the app's issuer is missing or wrong.
        let issuer: String?
        let clientID: String
        let useFrom: UseFrom
    }

    /// The issuers without errors.
    private(set) var issuers: [IssuerConfiguration] = []
    /// The names of all issuers, also of those with errors.
    private(set) var issuerNames: Set<String> = []
    private(set) var lists: [List] = []

    init() {}

    /// nil if the file may hold a list that this version cannot attribute to a client.
    init?(issuers: YAMLNode?, apps: YAMLNode?, in context: DecodingContext, allowsLoopbackHTTP: Bool) {
        // The errors are reported where the file is decoded for use.
        let context = DecodingContext(
            file: context.file, log: DiagnosticLog(), machine: context.machine, files: context.files)
        if let issuers {
            let found = IssuersSection(context: context, allowsLoopbackHTTP: allowsLoopbackHTTP).decode(issuers)
            guard let names = found.names else { return nil }
            self.issuers = found.issuers
            issuerNames = names
        }
        guard let apps else { return }
        guard apps.isSequence else { return nil }
        for node in apps.elements {
            guard let reader = MappingReader<AppKey>(node, in: context),
                let list = reader[.useFrom] ?? Self.misspelt(.useFrom, in: node)
            else { continue }
            guard let clientID = reader[.clientID].flatMap({ context.text($0) }) else { return nil }
            // A list that is wrong names no program.
            let useFrom = AppDecoder(reader: reader, issuerNames: nil).useFrom(list) ?? UseFrom()
            lists.append(
                List(issuer: reader[.issuer].flatMap { context.text($0) }, clientID: clientID, useFrom: useFrom))
        }
    }

    private static func misspelt(_ key: AppKey, in node: YAMLNode) -> YAMLNode? {
        let known = AppKey.allCases.map(\.rawValue)
        for entry in node.entries where Spelling.nearest(to: entry.key, among: known) == key.rawValue {
            return entry.value
        }
        return nil
    }
}

/// A file of an agent's folders that cannot be read or parsed.
struct UnreadFile {
    /// nil if the file cannot be read.
    let bytes: [UInt8]?

    /// Whether the file may be about a client or an issuer with this name.
    func mayMention(_ name: String) -> Bool { bytes.map { $0.firstRange(of: name.utf8) != nil } ?? true }
}

/// A file of an agent whose `use_from` lists are unknown: it cannot be read, and no earlier version of it is known. Safe
/// from any thread.
public struct UnknownLists: Hashable, Sendable {
    public let file: String
    /// The error in the file, and its remedy. Holds no secret.
    public let reason: String
    /// The client IDs of apps that the file may guard.
    public let clientIDs: Set<String>
}
