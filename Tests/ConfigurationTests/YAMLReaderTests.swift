import Testing

@testable import SwitchyardConfiguration

@Suite("Reading YAML") struct YAMLReaderTests {
    @Test("a document becomes a tree whose marks count from 1")
    func tree() throws {
        let outcome = YAMLReader.read(Array("a: 1\nb:\n  - \"x\"\n  - { c: ~ }\n".utf8))
        #expect(outcome.problems == [])
        guard case .mapping(let entries) = try #require(outcome.root).content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.key) == ["a", "b"])
        #expect(entries.map(\.keyMark) == [Mark(line: 1, column: 1), Mark(line: 2, column: 1)])
        guard case .sequence(let elements) = entries[1].value.content,
            case .scalar(let text, let quoted) = elements[0].content,
            case .mapping(let inner) = elements[1].content
        else {
            Issue.record("another shape")
            return
        }
        #expect(text == "x" && quoted)
        #expect(elements[0].mark == Mark(line: 3, column: 5))
        #expect(inner[0].value.isNull)
    }

    @Test(
        "YAML that stands for something else is refused, with its place",
        arguments: [
            ("a: &x 1", 1, 4, "an anchor"),
            ("a: 1\nb: *x", 2, 4, "an alias"),
            ("a: !!str 1", 1, 4, "a tag"),
            ("a: !own [1]", 1, 4, "a tag"),
            ("a: &x { b: 1 }", 1, 4, "an anchor"),
            ("<<: { b: 1 }", 1, 1, "a merge key"),
            ("a: 1\n---\nb: 2", 2, 1, "a second document"),
            ("a: 1\na: 2", 2, 1, "stands twice"),
            ("\"a\": 1\na: 2", 2, 1, "stands twice"),
            ("[1]: 2", 1, 1, "a key that is not a single word"),
            ("a: [1, 2", 2, 1, "did not find expected"),
            ("a: 1\n b: 2", 2, 3, "mapping values are not allowed"),
            ("a: \"x", 1, 6, "unexpected end of stream"),
        ] as [(text: String, line: UInt32, column: UInt32, words: String)])
    func refused(text: String, line: UInt32, column: UInt32, words: String) throws {
        let problem = try #require(YAMLReader.read(Array(text.utf8)).problems.first)
        #expect(problem.message.contains(words))
        #expect(problem.mark == Mark(line: line, column: column), "\(problem)")
    }

    @Test("problems that leave the tree readable are all reported")
    func severalProblems() {
        let outcome = YAMLReader.read(Array("a: &x 1\nb: *x\na: 3\n".utf8))
        #expect(outcome.problems.map(\.mark.line) == [1, 2, 3])
        #expect(outcome.root != nil)
    }

    @Test("bytes that are no UTF-8 are refused at their place")
    func invalidUTF8() throws {
        let problem = try #require(YAMLReader.read(Array("a: 1\nü: ".utf8) + [0xFF]).problems.first)
        #expect(problem.mark == Mark(line: 2, column: 4))
        #expect(problem.remedy.contains("UTF-8"))
    }

    @Test("a byte order mark of UTF-8 is skipped, and marks count from behind it")
    func byteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let outcome = YAMLReader.read(mark + Array("a: 1".utf8))
        #expect(outcome.problems.isEmpty)
        guard case .mapping(let entries) = try #require(outcome.root).content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.key) == ["a"] && entries[0].keyMark == .start)
        #expect(YAMLReader.read(mark).problems == YAMLReader.read([]).problems)
        let twice = try #require(YAMLReader.read(mark + [0xFF]).problems.first)
        #expect(twice.mark == .start)
    }

    @Test("UTF-16 is refused, and the words say what would be right", arguments: [true, false])
    func utf16(isMarked: Bool) throws {
        for swap in [true, false] {
            let units = (isMarked ? [0xFEFF] : []) + Array("a: 1\n".utf16)
            let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let text = swap ? units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } : bytes
            let problem = try #require(YAMLReader.read(text).problems.first)
            #expect(problem.remedy.contains("UTF-8"))
        }
    }

    @Test("depth is bounded", arguments: [(YAMLReader.maximumDepth, true), (YAMLReader.maximumDepth + 1, false)])
    func depth(levels: Int, isFine: Bool) {
        // The innermost list is empty, so the levels are the brackets.
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(YAMLReader.read(Array(text.utf8)).problems.isEmpty == isFine)
    }

    @Test(
        "the number of keys is bounded",
        arguments: [(YAMLReader.maximumKeys, true), (YAMLReader.maximumKeys + 1, false)])
    func keys(count: Int, isFine: Bool) {
        let text = (0..<count).map { "k\($0): 1\n" }.joined()
        #expect(YAMLReader.read(Array(text.utf8)).problems.isEmpty == isFine)
    }
}
