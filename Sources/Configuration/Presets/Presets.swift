internal import SwitchyardPresets
internal import Synchronization

/// The presets that are compiled in. Safe from any thread.
public enum Presets {
    /// The names of all, in the order of the alphabet.
    public static let names = PresetFile.all.map(\.name).sorted()

    /// Reads all of them.
    public static var all: [Preset] { names.compactMap { named($0) } }

    /// nil for an unknown name.
    public static func named(_ name: String) -> Preset? {
        guard let file = PresetFile.all.first(where: { $0.name == name }) else { return nil }
        return known.withLock { known in
            if let preset = known[name] { return preset }
            let preset = PresetReader(name: name, text: String(decoding: file.bytes, as: UTF8.self)).read(
                DiagnosticLog())
            known[name] = preset
            return preset
        }
    }

    /// The errors in the data files, for a test.
    public static var errors: [String] {
        PresetFile.all.flatMap { file -> [String] in
            let log = DiagnosticLog()
            _ = PresetReader(name: file.name, text: String(decoding: file.bytes, as: UTF8.self)).read(log)
            return log.sorted.map { "\($0)" }
        }
    }

    /// The presets that were read. A configuration reads few of them.
    private static let known = Mutex<[String: Preset]>([:])
}
