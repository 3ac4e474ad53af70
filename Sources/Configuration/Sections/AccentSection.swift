internal import SwitchyardPages

/// Reads `accent:`, a color or one for each color scheme.
struct AccentSection {
    enum Key: String, ConfigurationKey {
        case light, dark
    }

    let context: DecodingContext

    private static let remedy = "write a color in quotes, such as \"#0b5cad\": without quotes # begins a comment"

    /// The accent; nil if a color is wrong or not legible, which is reported.
    func decode(_ node: YAMLNode) -> Accent? {
        if node.isMapping { return pair(node) }
        return color(node).flatMap { accent(light: $0, dark: $0, at: node.mark) }
    }

    private func pair(_ node: YAMLNode) -> Accent? {
        guard let reader = MappingReader<Key>(node, in: context) else { return nil }
        let light = reader[.light].flatMap { color($0) }
        let dark = reader[.dark].flatMap { color($0) }
        for key in Key.allCases where reader[key] == nil {
            let proposal = (light ?? dark).map { Accent.nearest(light: $0, dark: $0) }
            context.error(
                at: node.mark, "\"\(key.rawValue)\" is missing", proposal.map(Self.remedy) ?? Self.remedy)
        }
        guard let light, let dark else { return nil }
        return accent(light: light, dark: dark, at: node.mark)
    }

    private func accent(light: Color, dark: Color, at mark: Mark) -> Accent? {
        do throws(AccentError) {
            return try Accent(light: light, dark: dark)
        } catch {
            context.error(
                at: mark, error.faults.joined(separator: ", and ") + "; 4.5 is the least that people can read",
                Self.remedy(error.proposal))
            return nil
        }
    }

    private static func remedy(_ proposal: Accent) -> String {
        "write accent: \(proposal.text), which has the same hue"
    }

    private func color(_ node: YAMLNode) -> Color? {
        context.value(node, Self.remedy) { Color($0) }
    }
}
