internal import SwitchyardCSystemd

/// One message of sd-bus. Belongs to the thread of its connection.
@safe
final class BusMessage {
    let pointer: OpaquePointer

    /// How many values an answer may hold, and how deep they may stand: what we ask for is small.
    private static let maximumValues = 4096
    private static let maximumDepth = 16

    /// A call with its arguments.
    init(_ method: BusMethod, _ arguments: [BusValue], on bus: OpaquePointer) throws(BusError) {
        let names = [method.destination, method.path, method.interface, method.member]
        guard names.allSatisfy({ !$0.utf8.contains(0) }) else { throw .malformed("a name with a NUL") }
        var message: OpaquePointer?
        let code = unsafe sd_bus_message_new_method_call(
            bus, &message, method.destination, method.path, method.interface, method.member)
        guard code >= 0, let message = unsafe message else {
            throw .malformed("\(method.destination) \(method.path) \(method.interface).\(method.member)")
        }
        unsafe pointer = message
        if method.isSensitive { unsafe sd_bus_message_sensitive(message) }
        unsafe sd_bus_message_set_auto_start(message, method.startsProgram ? 1 : 0)
        for argument in arguments { try append(argument) }
    }

    /// An answer, which is sd-bus's own until it is kept here.
    init(answer: OpaquePointer) {
        unsafe pointer = unsafe sd_bus_message_ref(answer)
    }

    deinit {
        unsafe sd_bus_message_unref(pointer)
    }

    // MARK: Writing

    private func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .byte(let number): try append(number, as: "y")
        case .boolean(let isTrue): try append(Int32(isTrue ? 1 : 0), as: "b")
        case .int32(let number): try append(number, as: "i")
        case .uint32(let number): try append(number, as: "u")
        case .int64(let number): try append(number, as: "x")
        case .uint64(let number): try append(number, as: "t")
        case .double(let number): try append(number, as: "d")
        case .string(let text): try append(text, as: "s")
        case .objectPath(let text): try append(text, as: "o")
        case .array(let elements, let signature):
            try container("a", signature) { () throws(BusError) in
                for element in elements { try append(element) }
            }
        case .options(let options):
            try container("a", "{sv}") { () throws(BusError) in
                for (name, value) in options { try append(.entry(.string(name), .variant(value))) }
            }
        case .entry(let key, let value):
            try container("e", key.signature + value.signature) { () throws(BusError) in
                try append(key)
                try append(value)
            }
        case .structure(let members):
            try container("r", members.map(\.signature).joined()) { () throws(BusError) in
                for member in members { try append(member) }
            }
        case .variant(let inner):
            try container("v", inner.signature) { () throws(BusError) in try append(inner) }
        }
    }

    private func append<Number: BitwiseCopyable>(_ number: Number, as type: Character) throws(BusError) {
        let code = unsafe withUnsafeBytes(of: number) {
            unsafe sd_bus_message_append_basic(pointer, Self.code(type), $0.baseAddress)
        }
        try Self.require(code, "a value of type \(type)")
    }

    private func append(_ text: String, as type: Character) throws(BusError) {
        guard !text.utf8.contains(0) else { throw .malformed("a text with a NUL") }
        let code = unsafe text.withCString { unsafe sd_bus_message_append_basic(pointer, Self.code(type), $0) }
        try Self.require(code, "a value of type \(type)")
    }

    private func container(
        _ type: Character, _ contents: String, _ fill: () throws(BusError) -> Void
    ) throws(BusError) {
        try Self.require(
            unsafe sd_bus_message_open_container(pointer, Self.code(type), contents), "a value of type \(contents)")
        try fill()
        try Self.require(unsafe sd_bus_message_close_container(pointer), "a value of type \(contents)")
    }

    private static func require(_ code: Int32, _ part: String) throws(BusError) {
        if code < 0 { throw .malformed(part) }
    }

    private static func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

    // MARK: Reading

    /// The values of an answer, or the error that it is.
    func answer() -> Result<[BusValue], BusError> {
        if let error = unsafe sd_bus_message_get_error(pointer) {
            let name = unsafe error.pointee.name.map { unsafe String(cString: $0) } ?? ""
            let words = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
            return .failure(.refused(name: name, message: words))
        }
        var left = Self.maximumValues
        return values(depth: 0, &left).map { .success($0) } ?? .failure(.unreadable)
    }

    /// The values up to the end of the container that is being read; nil when they cannot be read.
    private func values(depth: Int, _ left: inout Int) -> [BusValue]? {
        guard depth <= Self.maximumDepth else { return nil }
        var values: [BusValue] = []
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let code = unsafe sd_bus_message_peek_type(pointer, &type, &contents)
            guard code >= 0 else { return nil }
            guard code > 0 else { return values }
            left -= 1
            let inner = unsafe contents.map { unsafe String(cString: $0) } ?? ""
            guard left >= 0, let value = value(Character(UnicodeScalar(UInt8(type))), inner, depth, &left) else {
                return nil
            }
            values.append(value)
        }
    }

    private func value(_ type: Character, _ contents: String, _ depth: Int, _ left: inout Int) -> BusValue? {
        switch type {
        case "y": number(UInt8(0), type).map { .byte($0) }
        case "b": number(Int32(0), type).map { .boolean($0 != 0) }
        case "i": number(Int32(0), type).map { .int32($0) }
        case "u": number(UInt32(0), type).map { .uint32($0) }
        case "x": number(Int64(0), type).map { .int64($0) }
        case "t": number(UInt64(0), type).map { .uint64($0) }
        case "d": number(Double(0), type).map { .double($0) }
        case "s", "g": text(type).map { .string($0) }
        case "o": text(type).map { .objectPath($0) }
        case "a": contained(type, contents, depth, &left).map { Self.array($0, of: contents) }
        case "e": contained(type, contents, depth, &left).flatMap { $0.count == 2 ? .entry($0[0], $0[1]) : nil }
        case "r": contained(type, contents, depth, &left).map { .structure($0) }
        case "v": contained(type, contents, depth, &left).flatMap { $0.first.map { .variant($0) } }
        default: nil
        }
    }

    private func contained(_ type: Character, _ contents: String, _ depth: Int, _ left: inout Int) -> [BusValue]? {
        guard unsafe sd_bus_message_enter_container(pointer, Self.code(type), contents) > 0,
            let values = values(depth: depth + 1, &left), unsafe sd_bus_message_exit_container(pointer) > 0
        else { return nil }
        return values
    }

    private static func array(_ elements: [BusValue], of contents: String) -> BusValue {
        guard contents == "{sv}" else { return .array(elements, of: contents) }
        var options: [String: BusValue] = [:]
        for case .entry(.string(let name), .variant(let value)) in elements { options[name] = value }
        return .options(options)
    }

    private func number<Number: BitwiseCopyable>(_ zero: Number, _ type: Character) -> Number? {
        var number = zero
        let code = unsafe withUnsafeMutableBytes(of: &number) {
            unsafe sd_bus_message_read_basic(pointer, Self.code(type), $0.baseAddress)
        }
        return code > 0 ? number : nil
    }

    private func text(_ type: Character) -> String? {
        var text: UnsafePointer<CChar>?
        let code = unsafe sd_bus_message_read_basic(pointer, Self.code(type), &text)
        return code > 0 ? unsafe text.map { unsafe String(cString: $0) } : nil
    }
}
