internal import SwitchyardCrypto

/// One mapping of the file, with its keys known to be known.
struct MappingReader<Key: ConfigurationKey> {
    let context: DecodingContext
    let node: YAMLNode
    /// The known keys and their positions in the document.
    private var entries: [(key: Key, position: UInt32)] = []
    /// Whether a key was refused. A key that seems to be missing may be a misspelt one.
    private(set) var hasRefusedKeys = false

    /// Reports every key that is unknown or not built yet. nil when `node` is no mapping, which is reported too.
    init?(_ node: YAMLNode, in context: DecodingContext) {
        self.context = context
        self.node = node
        guard node.isMapping else {
            let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
            context.error(
                at: node.mark, "\(node.kindName) where a mapping belongs", "write \"key: value\" with: \(keys)")
            return nil
        }
        // Enough for most mappings.
        entries.reserveCapacity(8)
        for entry in node.entries {
            if let key = accepted(entry) { entries.append((key, entry.position)) } else { hasRefusedKeys = true }
        }
    }

    subscript(key: Key) -> YAMLNode? { entry(key)?.value }

    /// The position of the key, or of the mapping if the key is absent.
    func mark(of key: Key) -> Mark { entry(key)?.keyMark ?? node.mark }

    private func entry(_ key: Key) -> YAMLEntry? {
        for entry in entries where entry.key == key { return node.entry(at: entry.position) }
        return nil
    }

    /// The value, or an error with the expected form.
    func required(_ key: Key, _ remedy: String) -> YAMLNode? {
        if let value = self[key] { return value }
        context.error(at: node.mark, "\"\(key.rawValue)\" is missing", remedy)
        return nil
    }

    /// Reports each of `keys` that is there although it has no meaning here.
    func refuse(_ keys: [Key], because reason: String) {
        for key in keys where self[key] != nil {
            context.error(at: mark(of: key), "\"\(key.rawValue)\" has no meaning here: \(reason)", "leave it out")
        }
    }

    private func accepted(_ entry: YAMLEntry) -> Key? {
        if let key = Key.allCases.first(where: { entry.isOf($0.rawValue) }) { return key }
        if Key.later.contains(entry.key) {
            context.notSupportedYet("\"\(entry.key)\"", at: entry.keyMark)
        } else {
            reportUnknown(entry)
        }
        return nil
    }

    private func reportUnknown(_ entry: YAMLEntry) {
        let known = Key.allCases.map(\.rawValue)
        let nearest = Spelling.nearest(to: entry.key, among: known + Key.later)
        context.error(
            at: entry.keyMark, "unknown key \"\(entry.key)\"",
            nearest.map { "did you mean \"\($0)\"?" } ?? "known here are: \(known.joined(separator: ", "))")
    }
}

/// The known keys of one kind of mapping.
protocol ConfigurationKey: RawRepresentable, CaseIterable, Equatable, Sendable where RawValue == String {
    /// Keys of the contract that this version does not serve yet: they are answered, never ignored.
    static var later: [String] { get }
}

extension ConfigurationKey {
    static var later: [String] { [] }
}

extension MappingReader {
    /// A secret that may stand in the file or in one beside it. `isGiven` without a `secret`: an error was reported.
    func secret(_ key: Key, file: Key) -> (isGiven: Bool, secret: Secret?) {
        switch (self[key], self[file]) {
        case (nil, nil): return (false, nil)
        case (let inline?, nil): return (true, context.text(inline).map { Secret($0) })
        case (nil, let path?): return (true, context.secretFile(path))
        case (_?, _?):
            context.error(
                at: mark(of: file), "both \"\(key.rawValue)\" and \"\(file.rawValue)\"", "keep one of the two")
            return (true, nil)
        }
    }
}
