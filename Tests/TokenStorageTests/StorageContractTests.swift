import SwitchyardCrypto
import SwitchyardTokenStorage
import Synchronization
import Testing

/// The contract of every storage.
@Suite("Every storage") struct StorageContractTests {
    enum Kind: CaseIterable { case memory, file, kernelFile }

    let folder = TestFolder()

    private func storage(_ kind: Kind) throws -> any TokenStorage {
        switch kind {
        case .memory: MemoryStorage()
        case .file: try folder.storage()
        case .kernelFile: try folder.storage(key: .kernelKeyring)
        }
    }

    @Test("has nothing at first", arguments: Kind.usable)
    func empty(kind: Kind) throws {
        #expect(try storage(kind).read() == nil)
    }

    @Test("gives back what was written, byte for byte", arguments: Kind.usable, [0, 1, 255, 100_000, 4 << 20])
    func roundTrip(kind: Kind, count: Int) throws {
        let storage = try storage(kind)
        let document = Random.bytes(count)
        let answer = try storage.update { current -> String in
            #expect(current == nil)
            current = document
            return "done"
        }
        #expect(answer == "done")
        #expect(try storage.read() == document)
    }

    @Test("removes the document when the change leaves none", arguments: Kind.usable)
    func removal(kind: Kind) throws {
        let storage = try storage(kind)
        try storage.update { $0 = [1] }
        try storage.update { $0 = nil }
        #expect(try storage.read() == nil)
    }

    @Test("refuses a document of more than 4 MiB, and keeps the one before", arguments: Kind.usable)
    func tooLarge(kind: Kind) throws {
        let storage = try storage(kind)
        try storage.update { $0 = [1] }
        expectError(.tooLarge) {
            try storage.update { $0 = [UInt8](repeating: 0, count: (4 << 20) + 1) }
        }
        #expect(try storage.read() == [1])
    }

    @Test("loses no update of many threads", arguments: Kind.usable)
    func threads(kind: Kind) async throws {
        let storage = try storage(kind)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        let problem: (any Error)? = await offPool {
                            try storage.update { document in
                                var counts = document ?? [UInt8](repeating: 0, count: 8)
                                counts[thread] += 1
                                document = counts
                            }
                        }
                        #expect(problem == nil)
                    }
                }
            }
        }
        #expect(try storage.read() == [UInt8](repeating: 25, count: 8))
    }

    @Test("has none after setting aside, and takes a new one", arguments: Kind.usable)
    func setAside(kind: Kind) throws {
        let storage = try storage(kind)
        try storage.update { $0 = [1] }
        _ = try storage.read()
        try storage.setAside()
        #expect(try storage.read() == nil)
        try storage.update { $0 = [2] }
        #expect(try storage.read() == [2])
    }

    @Test("sets nothing aside where there is nothing", arguments: Kind.usable)
    func nothingToSetAside(kind: Kind) throws {
        try storage(kind).setAside()
        #expect(folder.setAsideNames().isEmpty)
    }
}

extension StorageContractTests.Kind {
    static let usable = allCases.filter { $0 != .kernelFile || kernelKeyringIsUsable }
}
