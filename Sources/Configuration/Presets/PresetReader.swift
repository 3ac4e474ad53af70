internal import SwitchyardJSON

/// Reads the data file of a preset. A test reads all of them, so the errors here are for contributors.
struct PresetReader {
    enum Key: String, ConfigurationKey {
        case title, about, asks, issuer, reasons, client, app, register, refresh, works, notes, failures, configuration
        case sources, tried, signs
        case redirectURIs = "redirect_uris"
        case numberedHosts = "numbered_hosts"
    }

    private enum ValueKey: String, ConfigurationKey { case key, about, example, form, standard }
    private enum SourceKey: String, ConfigurationKey { case url, date, facts }
    private enum FailureKey: String, ConfigurationKey { case sign, cause, remedy }

    let name: String
    let text: String

    /// - Returns: the preset; nil if the file has errors, which are in the log.
    func read(_ log: DiagnosticLog) -> Preset? {
        let context = Self.context(of: name, log)
        guard let root = context.tree(of: Array(text.utf8)), let reader = MappingReader<Key>(root, in: context) else {
            return nil
        }
        func word(_ key: Key) -> String {
            reader.required(key, "write it").flatMap { context.text($0) }.map(Self.trimmed) ?? ""
        }
        let preset = Preset(
            name: name, title: word(.title), about: word(.about),
            values: reader[.asks].flatMap { context.list($0) { value($0, context) } } ?? [],
            client: reader.required(.client, "write it").flatMap { context.choice($0, Preset.Client.self) } ?? .either,
            settings: reader.required(.issuer, "write it").flatMap { JSONValue($0).object } ?? [:],
            reasons: pairs(reader[.reasons], context).map { (deviation: $0.0, reason: $0.1) },
            app: reader[.app].flatMap { JSONValue($0).object } ?? [:], redirectPath: "/\(name)/auth",
            register: word(.register), redirectURIs: word(.redirectURIs), refresh: word(.refresh),
            works: works(reader, context), notes: reader[.notes].flatMap { context.text($0) }.map(Self.trimmed) ?? "",
            failures: reader[.failures].flatMap { context.list($0) { failure($0, context) } } ?? [],
            configuration: reader[.configuration].flatMap { context.text($0) },
            sources: reader.required(.sources, "name the public page").flatMap { node in
                context.list(node) { source($0, context) }
            } ?? [], tried: word(.tried),
            signs: reader[.signs].flatMap { context.list($0) { context.text($0) } } ?? [], text: self.text,
            numberedHosts: Set(reader[.numberedHosts].flatMap { context.list($0) { context.text($0) } } ?? []))
        return log.hasErrors ? nil : preset
    }

    static func context(of name: String, _ log: DiagnosticLog) -> DecodingContext {
        DecodingContext(file: SourceFile(name: "the preset \(name)", directory: "", role: .registration), log: log)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last?.isNewline == true { text = text.dropLast() }
        return String(text)
    }

    private func pairs(_ node: YAMLNode?, _ context: DecodingContext) -> [(String, String)] {
        guard let node else { return [] }
        return node.entries.compactMap { entry in context.text(entry.value).map { (entry.key, $0) } }
    }

    private func works(
        _ reader: MappingReader<Key>, _ context: DecodingContext
    ) -> [(feature: Preset.Feature, answer: Preset.Answer)] {
        guard let node = reader.required(.works, "say of each feature whether it works") else { return [] }
        let answers = Dictionary(pairs(node, context)) { first, _ in first }
        return Preset.Feature.allCases.map { feature in
            let answer = answers[feature.rawValue].flatMap { Preset.Answer(rawValue: $0) }
            if answer == nil {
                context.error(at: node.mark, "\(feature.rawValue) is missing", "write yes, no, partly or unknown")
            }
            return (feature: feature, answer: answer ?? .unknown)
        }
    }

    private func value(_ node: YAMLNode, _ context: DecodingContext) -> PresetValue? {
        guard let reader = MappingReader<ValueKey>(node, in: context),
            let name = reader.required(.key, "write it").flatMap({ context.text($0) }),
            let about = reader.required(.about, "write it").flatMap({ context.text($0) }),
            let example = reader.required(.example, "write it").flatMap({ context.text($0) }),
            let form = reader.required(.form, "write it").flatMap({ context.choice($0, PresetValue.Form.self) })
        else { return nil }
        let standard = reader[.standard].flatMap { context.text($0) }
        return PresetValue(name: name, about: about, example: example, form: form, standard: standard)
    }

    private func source(_ node: YAMLNode, _ context: DecodingContext) -> Preset.Source? {
        guard let reader = MappingReader<SourceKey>(node, in: context),
            let url = reader.required(.url, "write it").flatMap({ context.text($0) }),
            let date = reader.required(.date, "write it").flatMap({ context.text($0) }),
            let facts = reader.required(.facts, "write it").flatMap({ context.text($0) })
        else { return nil }
        return Preset.Source(url: url, date: date, facts: facts)
    }

    private func failure(_ node: YAMLNode, _ context: DecodingContext) -> Preset.Failure? {
        guard let reader = MappingReader<FailureKey>(node, in: context),
            let sign = reader.required(.sign, "write it").flatMap({ context.text($0) }),
            let cause = reader.required(.cause, "write it").flatMap({ context.text($0) }),
            let remedy = reader.required(.remedy, "write it").flatMap({ context.text($0) })
        else { return nil }
        return Preset.Failure(sign: sign, cause: cause, remedy: remedy)
    }
}

extension JSONValue {
    /// The same value in JSON. Scalars stay text.
    init(_ node: YAMLNode) {
        if node.isMapping {
            var object = JSONObject()
            for entry in node.entries { object[entry.key] = JSONValue(entry.value) }
            self = .object(object)
        } else if node.isSequence {
            self = .array(node.elements.map { JSONValue($0) })
        } else {
            self = .string(node.scalar ?? "")
        }
    }
}
