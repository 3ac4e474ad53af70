internal import SwitchyardCYAML

/// libyaml's event parser over bytes in memory. The only place that touches libyaml's pointers.
///
/// One thread at a time. The bytes it was made with must outlive it; ``YAMLReader`` sees to that.
@safe
struct YAMLEventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeBufferPointer<UInt8>

    init(_ input: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        // libyaml skips a byte order mark only while it guesses the encoding, and then UTF-16 passes too.
        let isMarked = unsafe input.starts(with: [0xEF, 0xBB, 0xBF])
        let input = unsafe UnsafeBufferPointer(rebasing: input.dropFirst(isMarked ? 3 : 0))
        unsafe self.input = unsafe input
        unsafe parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            throw YAMLError(mark: .start, message: "no memory for the YAML parser", remedy: "try again")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// The next event. An error and the end of the stream are the last.
    /// - Parameter text: gets the text of a scalar at its end, in UTF-8.
    func next(_ text: inout [UInt8]) throws(YAMLError) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe Self.convert(event, &text)
    }

    private static func convert(_ event: yaml_event_t, _ text: inout [UInt8]) -> YAMLEvent {
        let mark = unsafe Mark(event.start_mark)
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, mark: mark)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, mark: mark)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, mark: mark)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, mark: mark)
        case YAML_SCALAR_EVENT: return unsafe convert(event.data.scalar, mark, &text)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return unsafe YAMLEvent(
                kind: .sequenceStart, mark: mark, isAnchored: start.anchor != nil, isTagged: start.tag != nil)
        case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, mark: mark)
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return unsafe YAMLEvent(
                kind: .mappingStart, mark: mark, isAnchored: start.anchor != nil, isTagged: start.tag != nil)
        case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, mark: mark)
        default: return YAMLEvent(kind: .streamEnd, mark: mark)
        }
    }

    private static func convert(
        _ scalar: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar, _ mark: Mark, _ text: inout [UInt8]
    ) -> YAMLEvent {
        unsafe text.append(contentsOf: UnsafeBufferPointer(start: scalar.value, count: scalar.length))
        let isQuoted = unsafe scalar.style != YAML_PLAIN_SCALAR_STYLE
        return unsafe YAMLEvent(
            kind: .scalar(length: scalar.length, isQuoted: isQuoted), mark: mark, isAnchored: scalar.anchor != nil,
            isTagged: scalar.tag != nil)
    }

    private var problem: YAMLError {
        let words = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "the text ends too early"
        if unsafe parser.pointee.error == YAML_READER_ERROR {
            let offset = unsafe parser.pointee.problem_offset
            return YAMLError(mark: mark(ofByte: offset), message: words, remedy: "save the file as UTF-8 text")
        }
        let context = unsafe parser.pointee.context.map { unsafe String(cString: $0) + ": " } ?? ""
        return unsafe YAMLError(
            mark: Mark(parser.pointee.problem_mark), message: context + words,
            remedy: "check the indentation, the quotes and the brackets here and on the line before")
    }

    /// libyaml gives no line for bytes that are no text, only how many came before.
    private func mark(ofByte offset: Int) -> Mark {
        let before = unsafe input.prefix(offset)
        let lineStart = unsafe before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let lines = unsafe before.reduce(into: 1) { count, byte in count += byte == UInt8(ascii: "\n") ? 1 : 0 }
        // Continuation bytes belong to the character before them.
        let column = unsafe before[lineStart...].reduce(into: 1) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 }
        return Mark(line: UInt32(clamping: lines), column: UInt32(clamping: column))
    }
}

extension Mark {
    /// libyaml counts from 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: UInt32(clamping: mark.line + 1), column: UInt32(clamping: mark.column + 1))
    }
}

/// One step of libyaml's parser, as a Swift value.
struct YAMLEvent {
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias
        /// A scalar of `length` bytes, which have been added to the caller's text.
        case scalar(length: Int, isQuoted: Bool)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    let kind: Kind
    let mark: Mark
    /// An `&anchor` stands before the value.
    var isAnchored = false
    /// A `!tag` stands before the value.
    var isTagged = false
}
