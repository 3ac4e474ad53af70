internal import Glibc
internal import SwitchyardCSystemd
internal import SwitchyardFiles

/// The system's journal (systemd-journald), for entries with more than a line of text. Safe from any thread.
public struct Journal: Sendable {
    private static let socket = "/run/systemd/journal/socket"

    /// nil unless the descriptor leads to the journal, according to `JOURNAL_STREAM` (systemd.exec(5)), and the journal
    /// can be reached: a redirected log stays where it was redirected to.
    public init?(behind descriptor: Int32) {
        guard let stream = unsafe getenv("JOURNAL_STREAM").map({ unsafe String(cString: $0) }) else { return nil }
        guard let own = try? FileStatus(of: descriptor).identity, stream == "\(own.device):\(own.inode)",
            FilePath.isWritable(Self.socket)
        else { return nil }
    }

    /// Sends one entry. May wait until the journal takes it.
    /// - Parameter fields: `NAME=value`, with NUL bytes between them; `MESSAGE` and `PRIORITY` among them
    ///   (systemd.journal-fields(7)).
    /// - Returns: whether it took the entry.
    public func write(_ fields: ArraySlice<UInt8>) -> Bool {
        let fields = Array(fields)
        return unsafe sy_journal_send(fields, fields.count) >= 0
    }
}
