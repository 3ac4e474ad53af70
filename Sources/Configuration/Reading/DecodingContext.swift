internal import SwitchyardText

/// The context of every decoding step: the file that it reads, and the log that it reports to.
///
/// A class, because every step of each of 100,000 apps gets it: one reference to count instead of five. It never leaves
/// the thread that reads.
final class DecodingContext {
    let file: SourceFile
    let log: DiagnosticLog
    /// The machine that must have the certificates, groups and directories of a gateway; nil if the file is for another
    /// machine.
    let machine: Machine?
    /// Takes note of each file that is read.
    let files: ReadFiles
    /// The files with errors, and the replacement for each.
    let choices: FileChoices
    /// The gateway's, for the addresses of client documents; nil where it is wrong or not read yet.
    var publicURL: PublicURL?

    /// Files that are watched, but not used.
    var leftOut: Set<String> { choices.leftOut }

    init(
        file: SourceFile, log: DiagnosticLog, machine: Machine? = nil, files: ReadFiles = ReadFiles(),
        choices: FileChoices = FileChoices()
    ) {
        self.file = file
        self.log = log
        self.machine = machine
        self.files = files
        self.choices = choices
    }

    /// The same for another file.
    func reading(_ file: SourceFile) -> DecodingContext {
        let context = DecodingContext(file: file, log: log, machine: machine, files: files)
        context.publicURL = publicURL
        return context
    }

    func place(_ mark: Mark) -> Place { Place(file: file, mark: mark) }

    func error(at mark: Mark, _ message: String, _ remedy: String) {
        log.error(at: place(mark), message, remedy)
    }

    func report(_ severity: Diagnostic.Severity, at mark: Mark, _ message: String, _ remedy: String) {
        switch severity {
        case .error: error(at: mark, message, remedy)
        case .warning: warning(at: mark, message, remedy)
        }
    }

    func warning(at mark: Mark, _ message: String, _ remedy: String) {
        log.warning(at: place(mark), message, remedy)
    }

    /// A part of the contract that this version cannot do. Saying so beats ignoring it.
    func notSupportedYet(_ what: String, at mark: Mark, _ remedy: String = "leave it out") {
        error(at: mark, "\(what) is not supported yet (not_supported_yet)", remedy)
    }

    /// The elements of a list that decode, or nil when `node` is no list. Errors are reported.
    func list<Element>(_ node: YAMLNode, _ decode: (YAMLNode) -> Element?) -> [Element]? {
        guard node.isSequence else {
            error(at: node.mark, "\(node.label)\(node.kindName) where a list belongs", "write it as a list: [one, two]")
            return nil
        }
        var decoded: [Element] = []
        decoded.reserveCapacity(node.elements.reduce(0) { count, _ in count + 1 })
        for element in node.elements {
            if let element = decode(element) { decoded.append(element) }
        }
        return decoded
    }

    /// The text of a single value with environment variables filled in, never empty.
    func text(_ node: YAMLNode, _ remedy: @autoclosure () -> String = "write a value") -> String? {
        guard let text = node.scalar, !node.isNull, !text.isEmpty else {
            let found = node.isScalar ? "nothing" : node.kindName
            error(at: node.mark, "\(found) where a value belongs", remedy())
            return nil
        }
        if text.allBytes({ $0 != UInt8(ascii: "$") }) { return text }
        return substituted(text, at: node.mark, remedy())
    }

    /// A single value that `parse` understands; nil from it is reported with `remedy`.
    func value<Value>(_ node: YAMLNode, _ remedy: String, _ parse: (String) -> Value?) -> Value? {
        guard let text = text(node, remedy) else { return nil }
        if let value = parse(text) { return value }
        error(at: node.mark, "\(node.label)\"\(text)\"", remedy)
        return nil
    }

    /// One of the words that `type` has.
    func choice<Word>(_ node: YAMLNode, _ type: Word.Type) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        // There may be 100,000 apps, so the list of all words is built only for an unknown word.
        node.scalar.flatMap { Word(rawValue: $0) } ?? choice(node, type.allCases.map { ($0.rawValue, $0) })
    }

    /// One of a few words; `later` are those of the contract that are not built yet.
    func choice<Value>(_ node: YAMLNode, _ built: [(String, Value)], later: [String] = []) -> Value? {
        // There may be 100,000 apps, so the remedy is built only when it is reported.
        func remedy() -> String { "write \(built.map(\.0).joined(separator: " or "))" }
        guard let text = text(node, remedy()) else { return nil }
        if let match = built.first(where: { $0.0 == text }) { return match.1 }
        if later.contains(text) {
            notSupportedYet("\(node.label)\"\(text)\"", at: node.mark, remedy())
        } else {
            let nearest = Spelling.nearest(to: text, among: built.map(\.0) + later)
            error(at: node.mark, "\(node.label)\"\(text)\"", nearest.map { "did you mean \"\($0)\"?" } ?? remedy())
        }
        return nil
    }
}

extension DecodingContext {
    /// Reads a file's text into a tree; nil if its content cannot be decoded. Problems are reported.
    func tree(of bytes: [UInt8]) -> YAMLNode? {
        let outcome = YAMLReader.read(bytes)
        for problem in outcome.problems { error(at: problem.mark, problem.message, problem.remedy) }
        if outcome.root == nil, outcome.problems.isEmpty, file.agent != nil {
            // An agent's own file may be empty: its apps are in the files beside it.
            return YAMLDocument.empty.root
        }
        if outcome.root == nil, outcome.problems.isEmpty {
            error(at: .start, "an empty file", "write \"key: value\" lines into it")
        }
        return outcome.root
    }
}
