import Glibc
import Testing

/// Every input of the corpus, and with it every input that ever broke something, goes through its target again.
@Suite("Fuzz corpus") struct CorpusTests {
    @Test("each target's invariants hold for every input of the corpus", arguments: FuzzTarget.allCases)
    func replay(target: FuzzTarget) throws {
        let files = try Corpus.files(of: target)
        // With an empty folder the test would pass without a check.
        #expect(files.count >= 20, "\(files.count) inputs for \(target.rawValue)")
        for file in files {
            let bytes = try Corpus.read(file)
            #expect(throws: Never.self, "\(file)") { try target.check(bytes) }
        }
    }

    @Test("every folder of the corpus and every dictionary belongs to a target")
    func complete() throws {
        let names = FuzzTarget.allCases.map(\.rawValue).sorted()
        #expect(try Corpus.names(in: Corpus.folder) == names)
        #expect(try Corpus.names(in: Corpus.dictionaries) == names.map { $0 + ".dict" })
    }

    @Test("the empty input passes, too", arguments: FuzzTarget.allCases)
    func empty(target: FuzzTarget) {
        #expect(throws: Never.self) { try target.check([]) }
    }
}
