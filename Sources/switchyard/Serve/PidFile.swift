internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardGateway

/// The file that says which process the gateway is, and how its last reload went: the number in the first line, then
/// `reload N taken`, or `reload N refused: why`.
///
/// Why `@unchecked Sendable`: it is written on the main thread only.
final class PidFile: @unchecked Sendable {
    let path: String
    private var own = Contents(process: getpid())
    private var isAnothers = false

    init(path: String) {
        self.path = path
    }

    /// The content of the file.
    struct Contents: Equatable {
        let process: Int32
        /// How many reloads there have been.
        var reloads = 0
        /// The reason why the last reload was refused, or nil.
        var refusal: String?
    }

    /// Checks that ``begin()`` will work, before the gateway is announced as serving. The file stays unchanged: it may
    /// belong to the gateway that this one replaces.
    func tryWriting() throws {
        if (try? FileStatus(at: path))?.kind == .folder {
            throw CommandError("\(path): it is a folder", hint: Self.remedy)
        }
        do throws(FileError) {
            let folder = try Folder(of: path)
            try folder.remove(draft)
            try folder.create(draft, with: Array(own.text.utf8), mode: Self.mode)
            try folder.remove(draft)
        } catch {
            throw failure("cannot be made", error)
        }
    }

    /// Writes that this process is the gateway.
    func begin() throws {
        try write(own)
    }

    /// Adds the result of a reload. If that cannot be written, the caller of the reload gets no report.
    func note(_ report: ReloadReport) {
        own = own.after(report)
        try? write(own)
    }

    /// Replaces the file as a whole, so that readers never see half of it.
    private func write(_ contents: Contents) throws {
        do throws(FileError) {
            try Folder(of: path).replace(
                FilePath.name(of: path), with: Array(contents.text.utf8), draft: draft, mode: Self.mode)
        } catch {
            throw failure("cannot be written", error)
        }
    }

    /// The name of the file until it has its content.
    private var draft: String { "\(FilePath.name(of: path)).\(getpid())" }

    private static let mode = NewFileMode.atMost(0o644)

    /// nil when it holds no process.
    func read() -> Contents? {
        guard let text = TextFile.text(path) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let process = lines.first.flatMap({ Int32($0) }), process > 0 else { return nil }
        var contents = Contents(process: process)
        let words = lines.dropFirst().first?.split(separator: " ", maxSplits: 2) ?? []
        if words.count == 3, words[0] == "reload", let reloads = Int(words[1]) {
            contents.reloads = reloads
            if words[2] != "taken" { contents.refusal = String(words[2].drop { $0 != " " }.dropFirst()) }
        }
        return contents
    }

    /// Leaves the file to the successor, which writes it anew.
    func giveAway() { isAnothers = true }

    /// Takes it away, unless it is another process's by now.
    func remove() {
        if !isAnothers, read()?.process == getpid() { FilePath.remove(path) }
    }

    private static let remedy = "name a file by --pid-file, in a folder that this user may write in"

    private func failure(_ what: String, _ error: FileError) -> CommandError {
        CommandError("\(path): \(what): \(error.reason)", hint: Self.remedy)
    }
}

extension PidFile.Contents {
    /// The text of the file.
    fileprivate var text: String {
        let result = refusal.map { "refused: \($0)" } ?? "taken"
        return "\(process)\n" + (reloads > 0 ? "reload \(reloads) \(result)\n" : "")
    }

    /// The same after another reload.
    func after(_ report: ReloadReport) -> PidFile.Contents {
        var next = self
        next.reloads += 1
        switch report {
        case .taken: next.refusal = nil
        case .refused(let errors): next.refusal = (errors.first ?? "it cannot be used").filter { !$0.isNewline }
        }
        return next
    }
}
