internal import SwitchyardText

/// A JSON value (RFC 8259). Objects keep the order of their members.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    /// A number that neither of these can hold, verbatim; it is written as it was read.
    case largeNumber(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }
    /// A whole number: an integer, or a number without a fraction that fits.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Self.whole(value)
        default: nil
        }
    }

    /// Strings are equal when their bytes are. Swift's own `==` takes canonically equivalent ones for one, so that an audience
    /// that only looks like ours would be ours.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.largeNumber(let left), .largeNumber(let right)): left.isExactly(right)
        case (.string(let left), .string(let right)): left.isExactly(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.integer, _), (.number, _), (.largeNumber, _), (.string, _), (.array, _),
            (.object, _):
            false
        }
    }

    /// By hand, because `Int64(exactly:)` calls into libm, which a program without Glibc does not link.
    private static func whole(_ value: Double) -> Int64? {
        guard (-0x1p63..<0x1p63).contains(value) else { return nil }
        let whole = Int64(value)
        return Double(whole) == value ? whole : nil
    }
}

/// The members of a JSON object, in their order. A name stands in it once.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public private(set) var members: [(name: String, value: JSONValue)]

    public init() { members = [] }

    /// A later member with the name of an earlier one replaces it.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = []
        for (name, value) in elements { self[name] = value }
    }

    /// Objects here have few members, so a look-up walks them; setting nil removes the member.
    ///
    /// Names are compared byte for byte (RFC 8259 section 8.3), as the reader compares them when it refuses a name that
    /// stands twice: of two that only look alike, each finds its own value.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name.isExactly(name) }?.value }
        set {
            let index = members.firstIndex { $0.name.isExactly(name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    func has(_ name: String) -> Bool { members.contains { $0.name.isExactly(name) } }

    /// Appends without looking for the name; the reader has refused duplicates already.
    mutating func append(_ name: String, _ value: JSONValue) {
        members.append((name, value))
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.members.count == right.members.count
            && zip(left.members, right.members).allSatisfy { $0.name.isExactly($1.name) && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        for member in members {
            hasher.combine(member.name)
            hasher.combine(member.value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
