internal import SwitchyardConfiguration

/// All presets in one table, for a terminal and for `docs/issuers/README.md`.
enum PresetTable {
    static var text: String {
        let presets = Presets.all
        let width = presets.map(\.name.count).max() ?? 0
        let lines = presets.map { preset in
            let asks = preset.valueNames.isEmpty ? "" : " (asks for \(preset.valueNames.joined(separator: ", ")))"
            return "\(preset.name.padded(to: width))  \(preset.title)\(asks)"
        }
        return lines.joined(separator: "\n") + "\n\n`switchyard issuers NAME` tells what is known of one."
    }

    static var markdown: String {
        let titles = Preset.Feature.allCases.map(\.title)
        let head =
            "| preset | provider | asks for | client | \(titles.joined(separator: " | ")) | deviations |\n"
            + "|---|---|---|---|\(titles.map { _ in "---|" }.joined())---|\n"
        return head
            + Presets.all.map { preset in
                let cells =
                    [
                        "[\(preset.name)](\(preset.name).md)", preset.title,
                        preset.valueNames.map { "`\($0)`" }.joined(separator: ", "), preset.client.rawValue,
                    ] + preset.works.map(\.answer.rawValue)
                    + [preset.reasons.map { "`\($0.deviation)`" }.joined(separator: ", ")]
                return "| \(cells.joined(separator: " | ")) |"
            }.joined(separator: "\n")
    }
}
