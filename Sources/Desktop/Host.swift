internal import Glibc
internal import SwitchyardFiles

/// The machine that this process runs on.
public enum Host {
    /// Whether this process is in a Flatpak sandbox: its files and its runtime folder are not those of the desktop.
    public static var isFlatpak: Bool { FilePath.exists("/.flatpak-info") }

    /// The host's name, as far as a gateway's page takes it (at most 64 of `A–Z a–z 0–9 . _ -`); nil when no character
    /// of it fits.
    public static var label: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let plain = text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "-") }
        return plain.isEmpty ? nil : String(plain.prefix(64))
    }
}
