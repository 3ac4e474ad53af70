/// Reads one YAML document.
///
/// A configuration is data, so the parts of YAML by which one value means another are refused: anchors, aliases, tags,
/// merge keys, several documents. A duplicate key in a mapping is refused too. Those problems are collected. Broken
/// syntax ends the reading, because the rest cannot be trusted.
struct YAMLReader: ~Copyable {
    /// The result: the root of the document (nil for an empty one) and every problem.
    struct Outcome: Sendable {
        var root: YAMLNode?
        var problems: [YAMLError]
    }

    /// Lists and mappings inside each other; the deepest that the configuration needs is 5.
    static let maximumDepth = 16

    /// The maximum number of keys in one mapping. It bounds the cost of looking for duplicates.
    static let maximumKeys = 128

    private let events: YAMLEventParser
    private var problems: [YAMLError] = []
    /// The items so far.
    private var items: [YAMLDocument.Item] = []
    private var text: [UInt8] = []

    static func read(_ bytes: [UInt8]) -> Outcome {
        unsafe bytes.withUnsafeBufferPointer { input in
            do throws(YAMLError) {
                var reader = YAMLReader(events: unsafe try YAMLEventParser(input))
                // Enough capacity for most files, to save copies while it grows.
                reader.text.reserveCapacity(input.count)
                reader.items.reserveCapacity(input.count / 8)
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
            try stream()
            let document = items.isEmpty ? nil : YAMLDocument(items: items, text: text)
            return Outcome(root: document?.root, problems: problems)
        } catch {
            return Outcome(root: nil, problems: problems + [error])
        }
    }

    private mutating func stream() throws(YAMLError) {
        while true {
            let event = try events.next(&text)
            switch event.kind {
            case .streamEnd: return
            case .streamStart, .documentEnd: continue
            case .documentStart:
                guard items.isEmpty else {
                    throw YAMLError(
                        mark: event.mark, message: "a second document begins here",
                        remedy: "keep one document in a file: remove the \"---\" and what follows")
                }
            default: try node(event, depth: 1)
            }
        }
    }

    /// Adds the value that begins with `event`.
    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLError) {
        refuseIndirection(event)
        guard depth <= Self.maximumDepth else {
            throw YAMLError(
                mark: event.mark, message: "lists and mappings are nested more than \(Self.maximumDepth) deep",
                remedy: "write it flatter; no option needs this")
        }
        switch event.kind {
        case .scalar(let length, let isQuoted): add(scalar: length, isQuoted ? .quoted : .plain, event.mark)
        case .sequenceStart: try sequence(event.mark, depth)
        case .mappingStart: try mapping(event.mark, depth)
        default:
            // Only an alias is left, and it has been refused.
            add(scalar: 0, .plain, event.mark)
        }
    }

    /// Adds a scalar; its text is the last that was read.
    private mutating func add(scalar length: Int, _ kind: YAMLDocument.Item.Kind, _ mark: Mark) {
        items.append(
            YAMLDocument.Item(
                kind: kind, mark: mark, start: UInt32(text.count - length), length: UInt32(length)))
    }

    private mutating func sequence(_ mark: Mark, _ depth: Int) throws(YAMLError) {
        let position = items.count
        items.append(YAMLDocument.Item(kind: .sequence, mark: mark))
        while true {
            let event = try events.next(&text)
            if case .sequenceEnd = event.kind { break }
            try node(event, depth: depth + 1)
        }
        items[position].length = UInt32(items.count - position - 1)
    }

    private mutating func mapping(_ mark: Mark, _ depth: Int) throws(YAMLError) {
        let position = items.count
        items.append(YAMLDocument.Item(kind: .mapping, mark: mark))
        // The positions of the keys.
        var keys: [Int] = []
        keys.reserveCapacity(8)
        while true {
            let event = try events.next(&text)
            if case .mappingEnd = event.kind { break }
            guard case .scalar(let length, let isQuoted) = event.kind else {
                throw YAMLError(
                    mark: event.mark, message: "a key that is not a single word",
                    remedy: "write \"key: value\", with a plain word as the key")
            }
            guard keys.count < Self.maximumKeys else {
                throw YAMLError(
                    mark: event.mark, message: "a mapping of more than \(Self.maximumKeys) keys",
                    remedy: "no option needs this; is this file a configuration?")
            }
            refuseIndirection(event)
            let key = items.count
            add(scalar: length, isQuoted ? .quoted : .plain, event.mark)
            try node(try events.next(&text), depth: depth + 1)
            if let problem = problem(ofKey: key, besides: keys) {
                problems.append(problem)
                items.removeSubrange(key...)
            } else {
                keys.append(key)
            }
        }
        items[position].length = UInt32(items.count - position - 1)
    }

    /// The reason why a key is refused, with its value; nil if it is valid.
    private func problem(ofKey key: Int, besides others: [Int]) -> YAMLError? {
        if items[key].kind == .plain, items[key].length == 2, name(of: key).elementsEqual("<<".utf8) {
            return YAMLError(
                mark: items[key].mark, message: "a merge key (\"<<\")",
                remedy: "write the values out where they belong")
        }
        guard let first = others.first(where: { isSameText($0, key) }) else { return nil }
        return YAMLError(
            mark: items[key].mark,
            message: "the key \"\(String(decoding: name(of: key), as: UTF8.self))\" stands twice in this mapping",
            remedy: "keep one of the two; the first is on line \(items[first].mark.line)")
    }

    private func name(of key: Int) -> ArraySlice<UInt8> {
        text[Int(items[key].start)..<Int(items[key].start + items[key].length)]
    }

    private func isSameText(_ left: Int, _ right: Int) -> Bool {
        let (left, right) = (items[left], items[right])
        guard left.length == right.length else { return false }
        return (0..<Int(left.length)).allSatisfy { text[Int(left.start) + $0] == text[Int(right.start) + $0] }
    }

    private mutating func refuseIndirection(_ event: YAMLEvent) {
        let remedy = "write the value out where it belongs"
        if case .alias = event.kind {
            problems.append(YAMLError(mark: event.mark, message: "an alias (\"*name\")", remedy: remedy))
        }
        if event.isAnchored {
            problems.append(YAMLError(mark: event.mark, message: "an anchor (\"&name\")", remedy: remedy))
        }
        if event.isTagged {
            problems.append(
                YAMLError(
                    mark: event.mark, message: "a tag (\"!name\")",
                    remedy: "leave it out; each option knows the type of its value"))
        }
    }
}

/// The reason why a text is not the YAML that this project reads: the position, the finding, and the correction.
struct YAMLError: Error, Equatable, Sendable {
    let mark: Mark
    let message: String
    let remedy: String
}
