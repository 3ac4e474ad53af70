import Glibc
import SwitchyardPendingRequests
import SwitchyardReactor
import TestSupport
import Testing

@testable import SwitchyardSQLiteStore

@Suite("The file of histories", .timeLimit(.minutes(1))) struct TimelineFileTests {
    private let folder: String
    private var path: String { folder + "/requests.db" }
    private var history: String { path + ".history" }

    init() throws {
        folder = try LastingFolder.make()
    }

    private func open() throws -> TimelineFile { try TimelineFile(beside: path, patience: .seconds(30)) { true } }

    private static func note(_ reference: Reference, _ name: String, padding: Int = 0) -> TimelineNote {
        let words = String(repeating: "x", count: padding)
        return TimelineNote(
            of: reference, app: "app", at: .at(0), TimelineEvent(name, particulars: [("from", words), ("by", words)]))
    }

    private static func names(_ timeline: Timeline?) -> [String] { (timeline?.entries ?? []).map(\.event.name) }

    @Test("damage that a write meets costs no history, and the file is begun anew")
    func damage() async throws {
        // More than SQLite keeps in memory, so that it has to read what is there.
        let references = (0..<9000).map { _ in Reference() }
        let file = try open()
        for start in stride(from: 0, to: references.count, by: 500) {
            let notes = references[start..<start + 500].map { Self.note($0, "begun", padding: 160) }
            #expect(await file.add(notes, at: .at(1)) == nil)
        }
        for name in [history, history + "-wal"] {
            let descriptor = unsafe Glibc.open(name, O_WRONLY)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let junk = [UInt8](repeating: 0x55, count: 4096)
            // But for its first page, which says that it is a database.
            for page in 1..<2000 { _ = unsafe pwrite(descriptor, junk, junk.count, off_t(page * junk.count)) }
        }
        for start in stride(from: 0, to: references.count, by: 500) {
            _ = await file.add(references[start..<start + 500].map { Self.note($0, "started") }, at: .at(2))
        }
        #expect(await file.add([Self.note(references[0], "accepted")], at: .at(3)) == nil, "it was written after all")
        _ = await file.close().wait()
        let again = try open()
        #expect(
            Self.names(try await again.timeline(of: references[0], at: .at(4))) == ["begun", "started", "accepted"])
        for reference in references {
            #expect(Self.names(try await again.timeline(of: reference, at: .at(4))).prefix(2) == ["begun", "started"])
        }
    }

    @Test("entries from before the file could be read are added to the file's")
    func late() async throws {
        let reference = Reference()
        let file = try open()
        #expect(await file.add([Self.note(reference, "begun")], at: .at(1)) == nil)
        _ = await file.close().wait()
        #expect(unsafe rename(history, history + ".away") == 0 && mkdir(history, 0o700) == 0)
        let again = try open()
        _ = await again.add([Self.note(reference, "started")], at: .at(2))
        #expect(Self.names(try await again.timeline(of: reference, at: .at(2))) == ["started"], "it cannot be read yet")
        #expect(unsafe rmdir(history) == 0 && rename(history + ".away", history) == 0)
        while Self.names(try await again.timeline(of: reference, at: .at(2))).count < 2 { usleep(50_000) }
        _ = await again.add([Self.note(reference, "accepted")], at: .at(3))
        _ = await again.close().wait()
        let last = try open()
        #expect(Self.names(try await last.timeline(of: reference, at: .at(4))) == ["begun", "started", "accepted"])
    }

    @Test("while a file cannot be written, nothing is remembered of histories that are no more")
    func unwritten() {
        var rows = TimelineRows()
        var changes = TimelineTable.Changes()
        for _ in 0..<1000 {
            let reference = Reference()
            changes = TimelineTable.Changes()
            changes.changed = [reference]
            rows.note(changes)
            changes = TimelineTable.Changes()
            changes.removed = [reference]
            rows.note(changes)
        }
        #expect(rows.isWhole)
    }

    @Test("a file that is opened anew loses what was pushed out meanwhile, and gets what it lacks")
    func compared() {
        var rows = TimelineRows()
        let (kept, gone, fresh) = (Reference(), Reference(), Reference())
        rows.open([(1, kept), (2, gone), (5, nil), (7, kept)], histories: [kept, fresh])
        #expect(Set(rows.deletions) == [1, 2, 5], "twice written, pushed out, and none at all")
        #expect(rows.changed == [fresh])
        #expect(rows.row(of: fresh) == 8 && rows.row(of: kept) == 7 && rows.row(of: fresh) == 8)
        rows.written()
        #expect(rows.isWhole)
        var changes = TimelineTable.Changes()
        changes.removed = [kept]
        rows.note(changes)
        #expect(rows.deletions == [7])
        changes = TimelineTable.Changes()
        changes.changed = [kept]
        rows.note(changes)
        #expect(rows.deletions.isEmpty && rows.changed == [kept], "it came again")
    }
}
