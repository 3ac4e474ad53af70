internal import Synchronization

/// The applications of this process, for callbacks that name none.
enum LiveApplications {
    private struct Entry {
        weak var core: ClientCore?
    }

    private static let entries = Mutex<[Entry]>([])

    static func add(_ core: ClientCore) {
        entries.withLock { entries in
            entries.removeAll { $0.core == nil }
            entries.append(Entry(core: core))
        }
    }

    static var all: [ClientCore] { entries.withLock { $0.compactMap(\.core) } }
}
