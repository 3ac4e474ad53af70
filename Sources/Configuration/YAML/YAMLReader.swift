/// Reads one YAML document into a tree.
///
/// A configuration is data, so the parts of YAML that make one value stand for another are refused: anchors, aliases,
/// tags, merge keys, several documents. A key that stands twice in a mapping is refused too. Those problems are
/// collected; broken syntax ends the reading, because nothing after it can be believed.
struct YAMLReader: ~Copyable {
    /// What came out: the tree (nil when there is none to speak of) and every problem.
    struct Outcome: Sendable {
        var root: YAMLNode?
        var problems: [YAMLProblem]
    }

    /// Lists and mappings inside each other; the deepest that the configuration needs is 5.
    static let maximumDepth = 16

    /// Keys in one mapping. The bound keeps looking for duplicates cheap, whatever a file holds.
    static let maximumKeys = 128

    private let events: YAMLEventParser
    private var problems: [YAMLProblem] = []

    static func read(_ bytes: [UInt8]) -> Outcome {
        unsafe bytes.withUnsafeBufferPointer { input in
            do throws(YAMLProblem) {
                var reader = YAMLReader(events: unsafe try YAMLEventParser(input))
                return reader.read()
            } catch {
                return Outcome(root: nil, problems: [error])
            }
        }
    }

    private init(events: consuming YAMLEventParser) {
        self.events = events
    }

    private mutating func read() -> Outcome {
        do {
            let root = try stream()
            return Outcome(root: root, problems: problems)
        } catch {
            return Outcome(root: nil, problems: problems + [error])
        }
    }

    private mutating func stream() throws(YAMLProblem) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try events.next()
            switch event.kind {
            case .streamEnd: return root
            case .streamStart, .documentEnd: continue
            case .documentStart:
                guard root == nil else {
                    throw YAMLProblem(
                        mark: event.mark, message: "a second document begins here",
                        remedy: "keep one document in a file: remove the \"---\" and what follows")
                }
            default: root = try node(event, depth: 1)
            }
        }
    }

    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLProblem) -> YAMLNode {
        refuseIndirection(event)
        guard depth <= Self.maximumDepth else {
            throw YAMLProblem(
                mark: event.mark, message: "lists and mappings are nested more than \(Self.maximumDepth) deep",
                remedy: "write it flatter; no option needs this")
        }
        switch event.kind {
        case .scalar(let text, let quoted):
            return YAMLNode(content: .scalar(text, quoted: quoted), mark: event.mark)
        case .sequenceStart: return YAMLNode(content: .sequence(try sequence(depth)), mark: event.mark)
        case .mappingStart: return YAMLNode(content: .mapping(try mapping(depth)), mark: event.mark)
        default:
            // Only an alias is left, and it has been refused.
            return YAMLNode(content: .scalar("", quoted: false), mark: event.mark)
        }
    }

    private mutating func sequence(_ depth: Int) throws(YAMLProblem) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { return elements }
            elements.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func mapping(_ depth: Int) throws(YAMLProblem) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        // As many as most have, so that they are not moved again and again while they are read.
        entries.reserveCapacity(8)
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { return entries }
            guard case .scalar(let key, let quoted) = event.kind else {
                throw YAMLProblem(
                    mark: event.mark, message: "a key that is not a single word",
                    remedy: "write \"key: value\", with a plain word as the key")
            }
            guard entries.count < Self.maximumKeys else {
                throw YAMLProblem(
                    mark: event.mark, message: "a mapping of more than \(Self.maximumKeys) keys",
                    remedy: "no option needs this; is this file a configuration?")
            }
            refuseIndirection(event)
            var value = try node(try events.next(), depth: depth + 1)
            value.key = key
            if key == "<<", !quoted {
                problems.append(
                    YAMLProblem(
                        mark: event.mark, message: "a merge key (\"<<\")",
                        remedy: "write the values out where they belong"))
            } else if let first = entries.first(where: { $0.key == key }) {
                problems.append(
                    YAMLProblem(
                        mark: event.mark, message: "the key \"\(key)\" stands twice in this mapping",
                        remedy: "keep one of the two; the first is on line \(first.keyMark.line)"))
            } else {
                entries.append(YAMLEntry(key: key, keyMark: event.mark, value: value))
            }
        }
    }

    private mutating func refuseIndirection(_ event: YAMLEvent) {
        let remedy = "write the value out where it belongs"
        if case .alias = event.kind {
            problems.append(YAMLProblem(mark: event.mark, message: "an alias (\"*name\")", remedy: remedy))
        }
        if event.isAnchored {
            problems.append(YAMLProblem(mark: event.mark, message: "an anchor (\"&name\")", remedy: remedy))
        }
        if event.isTagged {
            problems.append(
                YAMLProblem(
                    mark: event.mark, message: "a tag (\"!name\")",
                    remedy: "leave it out; each option knows the type of its value"))
        }
    }
}

/// Why a text is not the YAML that this project reads: where, what was found, what would be right.
struct YAMLProblem: Error, Equatable, Sendable {
    let mark: Mark
    let message: String
    let remedy: String
}
