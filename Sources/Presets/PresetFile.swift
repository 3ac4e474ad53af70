internal import SwitchyardCPresets

/// The data file of a preset, as it was compiled in.
public struct PresetFile: Sendable {
    /// The name of the preset, and of its file.
    public let name: String
    /// The file itself, in YAML.
    public let bytes: [UInt8]

    /// Every data file, in the order of their names.
    public static let all: [PresetFile] = (0..<sy_preset_count).map { number in
        // The table is a constant with that many elements.
        let preset = unsafe sy_preset_at(number).pointee
        return unsafe PresetFile(
            name: String(cString: preset.name),
            bytes: Array(UnsafeBufferPointer(start: preset.bytes, count: preset.count)))
    }
}
