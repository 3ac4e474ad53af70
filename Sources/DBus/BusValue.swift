/// A value that a D-Bus message holds: the types that the desktop's services use, file descriptors left out.
public indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// A text without NUL.
    case string(String)
    /// Such as `/org/freedesktop/Notifications`.
    case objectPath(String)
    /// Elements of one type, and that type's signature (which an empty array has as well).
    case array([BusValue], of: String)
    /// `a{sv}`: options by their names. Each value is sent as a variant, and stands here without its own case.
    case options([String: BusValue])
    /// One entry of a dictionary that is no `a{sv}`; only as an element of an array.
    case entry(BusValue, BusValue)
    case structure([BusValue])
    /// A value that names its type itself.
    case variant(BusValue)

    /// `as`.
    public static func strings(_ texts: [String]) -> BusValue { .array(texts.map { .string($0) }, of: "s") }

    /// The D-Bus signature of this value's type.
    public var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .array(_, let element): "a\(element)"
        case .options: "a{sv}"
        case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
        case .structure(let members): "(\(members.map(\.signature).joined()))"
        case .variant: "v"
        }
    }
}

extension BusValue {
    /// The text of a `string` or an `objectPath`; nil for any other value.
    public var text: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    /// The elements of an array of texts; nil for any other value.
    public var texts: [String]? {
        guard case .array(let elements, _) = self else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
