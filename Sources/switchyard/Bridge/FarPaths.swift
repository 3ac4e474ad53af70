internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardReactor

/// The paths of the far side's files.
enum FarPaths {
    /// The stable path, which leads to the socket of the newest session.
    static var newestSocket: String? {
        guard let home = Environment["HOME"] else { return nil }
        let path = "\(home)/.switchyard/\(machine)/socket"
        return unsafe access(path, F_OK) == 0 ? path : nil
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
        var folder = ""
        for part in recordedPath.split(separator: "/").dropLast() {
            folder += "/\(part)"
            unsafe mkdir(folder, 0o700)
        }
        let turn = unsafe Glibc.open("\(recordedPath).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard turn >= 0 else { return false }
        // Closing gives the lock back.
        defer { close(turn) }
        while flock(turn, LOCK_EX) != 0 { guard errno == EINTR else { return false } }
        var recorded = RecordedSignIns(recorded ?? "", now: WallClock.seconds())
        change(&recorded)
        return keep(recorded.text)
    }

    /// Writes the file for this user only; removes it when the text is empty.
    private static func keep(_ text: String) -> Bool {
        let path = recordedPath
        guard !text.isEmpty else { return unsafe unlink(path) == 0 || errno == ENOENT }
        let draft = "\(path).\(getpid())"
        // Left by a killed program with the same number.
        unsafe unlink(draft)
        let file = unsafe Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        let bytes = Array(text.utf8)
        let isWritten = unsafe write(file, bytes, bytes.count) == bytes.count
        close(file)
        guard isWritten, unsafe rename(draft, path) == 0 else {
            unsafe unlink(draft)
            return false
        }
        return true
    }
}
