internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor
internal import SwitchyardText

/// The paths of the far side's files.
enum FarPaths {
    /// The stable path, which leads to the socket of the newest session.
    static var newestSocket: String? {
        guard let home = Environment["HOME"] else { return nil }
        let path = "\(home)/.switchyard/\(machine)/socket"
        return FilePath.exists(path) ? path : nil
    }

    /// The machine's name in the helper's script.
    private static var machine: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        let bytes = unsafe withUnsafeBytes(of: &names.nodename) { unsafe Array($0.prefix { $0 != 0 }) }
        return String(
            decoding: bytes.map { byte in
                let scalar = Unicode.Scalar(byte)
                let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                return isPlain || "._-".utf8.contains(byte) ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
    }

    static var recordedPath: String {
        let state = Environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(state ?? "\(Environment["HOME"] ?? "")/.local/state")/switchyard/sign-ins"
    }

    static var recorded: String? { TextFile.text(recordedPath) }

    /// Changes the record. Safe against other programs that do so at the same time.
    /// - Returns: whether the change was saved.
    static func record(_ change: (inout RecordedSignIns) -> Void) -> Bool {
        do {
            let path = recordedPath
            try Folder.make(FilePath.folder(of: path), mode: 0o700)
            let folder = try Folder(of: path)
            let name = FilePath.name(of: path)
            let lock = try FileLock(
                OpenFile("\(name).lock", in: folder, for: .updating),
                until: ContinuousClock.now.advanced(by: patience))
            defer { withExtendedLifetime(lock) {} }
            var recorded = RecordedSignIns(recorded ?? "", now: WallTime.now().seconds)
            change(&recorded)
            if recorded.text.isEmpty {
                try folder.remove(name)
            } else {
                try folder.replace(name, with: Array(recorded.text.utf8))
            }
            return true
        } catch {
            return false
        }
    }

    /// The longest wait for other programs that change the record.
    private static let patience = Duration.seconds(60)
}
