internal import SwitchyardCJansson

/// Why bytes are no JSON: jansson's words, and where it stopped.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public let message: String
    public let line: Int
    public let column: Int

    public var description: String { "\(message) (line \(line), column \(column))" }
}

extension JSONValue {
    /// Reads one JSON text, strictly: UTF-8, nothing after the value, no name twice in an object (RFC 8259 section 4
    /// leaves that open, and two readers that choose differently are a security hole), at most 64 levels deep.
    /// - Throws: ``JSONError``.
    public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
        let root = unsafe bytes.withUnsafeBytes { bytes in
            unsafe json_loadb(bytes.baseAddress, bytes.count, flags, &error)
        }
        guard let root = unsafe root else {
            throw JSONError(message: text(of: &error), line: Int(error.line), column: Int(error.column))
        }
        defer { unsafe sy_json_release(root) }
        guard let value = unsafe convert(root, depth: 0) else {
            throw JSONError(message: "nested too deeply", line: 1, column: 1)
        }
        return value
    }

    private static let maximumDepth = 64

    private static func text(of error: inout json_error_t) -> String {
        unsafe withUnsafeBytes(of: &error.text) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func convert(_ value: UnsafeMutablePointer<json_t>, depth: Int) -> JSONValue? {
        guard depth < maximumDepth else { return nil }
        switch unsafe json_type(UInt32(sy_json_type(value))) {
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        case JSON_INTEGER: return .integer(unsafe json_integer_value(value))
        case JSON_REAL: return .number(unsafe json_real_value(value))
        case JSON_STRING: return .string(unsafe string(json_string_value(value), json_string_length(value)))
        case JSON_ARRAY:
            var elements: [JSONValue] = []
            for index in unsafe 0..<json_array_size(value) {
                guard let element = unsafe json_array_get(value, index),
                    let element = unsafe convert(element, depth: depth + 1)
                else { return nil }
                elements.append(element)
            }
            return .array(elements)
        case JSON_OBJECT:
            var object = JSONObject()
            var iterator = unsafe json_object_iter(value)
            while let here = unsafe iterator {
                guard let member = unsafe json_object_iter_value(here),
                    let converted = unsafe convert(member, depth: depth + 1)
                else { return nil }
                let key = unsafe json_object_iter_key(here)
                object.append(unsafe key.map { unsafe String(cString: $0) } ?? "", converted)
                unsafe iterator = unsafe json_object_iter_next(value, here)
            }
            return .object(object)
        default: return .null
        }
    }

    private static func string(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        guard let start = unsafe start else { return "" }
        return unsafe UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) { bytes in
            unsafe String(decoding: bytes, as: UTF8.self)
        }
    }
}
