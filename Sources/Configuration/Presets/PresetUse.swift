internal import SwitchyardOAuth
internal import SwitchyardText

/// A preset in an issuer of the configuration, with the values that it asks for.
struct PresetUse {
    let name: String
    /// The keys that an operator could write in its place.
    let reader: MappingReader<IssuersSection.Key>
    /// Further issuers that the metadata may name.
    let rule: IssuerRule

    /// nil when there is no preset, or when it cannot be used, which is reported.
    init?(_ file: MappingReader<IssuersSection.Key>) {
        let context = file.context
        guard let node = file[.preset] else {
            file.refuse(IssuersSection.Key.values, because: "only a preset asks for it")
            return nil
        }
        guard let name = context.text(node, "write the name of a preset; `switchyard issuers` lists them") else {
            return nil
        }
        guard let preset = Presets.named(name) else {
            let nearest = Spelling.nearest(to: name, among: Presets.names)
            context.error(
                at: node.mark, "there is no preset \"\(name)\"",
                (nearest.map { "did you mean \"\($0)\"? " } ?? "") + "`switchyard issuers` lists the presets")
            return nil
        }
        let foreign = IssuersSection.Key.values.filter { !preset.valueNames.contains($0.rawValue) }
        file.refuse(foreign, because: "the preset \(name) does not ask for it")
        var text = preset.text
        var isComplete = true
        var isByDomain = false
        for value in preset.values {
            guard let filled = Self.value(value, of: preset, file) else {
                isComplete = false
                continue
            }
            text = text.replacing("{\(value.name)}", with: filled)
            isByDomain = isByDomain || GUID(filled) == nil
        }
        let log = DiagnosticLog()
        let own = PresetReader.context(of: name, log)
        guard isComplete, let root = own.tree(of: Array(text.utf8)),
            let settings = root.entries.first(where: { $0.key == "issuer" })?.value,
            let reader = MappingReader<IssuersSection.Key>(settings, in: own)
        else { return nil }
        self.name = name
        self.reader = reader
        rule = isByDomain && !preset.numberedHosts.isEmpty ? .hosts(preset.numberedHosts) : .exactly
    }

    /// nil when it is missing or has another form, which is reported.
    private static func value(
        _ value: PresetValue, of preset: Preset, _ file: MappingReader<IssuersSection.Key>
    ) -> String? {
        let remedy = "write \(value.name): \(value.about), such as \(value.example)"
        guard let node = IssuersSection.Key(rawValue: value.name).flatMap({ file[$0] }) else {
            if let standard = value.standard { return standard }
            // A key in the file may stand in place of everything that needs the value.
            file.context.error(
                at: file.mark(of: .preset), "the preset \(preset.name) asks for \"\(value.name)\"", remedy)
            return nil
        }
        guard let text = file.context.text(node, remedy) else { return nil }
        guard value.form.accepts(text) else {
            file.context.error(at: node.mark, "\(value.name): \"\(text)\" is not \(value.form.words)", remedy)
            return nil
        }
        return text
    }
}
