/// The escapes of `attacks.txt`: `\xNN`, `\u{N}`, `\r`, `\n`, `\t`, `\0`, `\\`, and `\(N*TEXT)` for TEXT N times.
enum Escapes {
    /// nil for a malformed escape.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\" else {
                bytes += character.utf8
                continue
            }
            guard let escape = rest.popFirst(), let decoded = decode(escape, &rest) else { return nil }
            bytes += decoded
        }
        return bytes
    }

    private static func decode(_ escape: Character, _ rest: inout Substring) -> [UInt8]? {
        switch escape {
        case "r": return [13]
        case "n": return [10]
        case "t": return [9]
        case "0": return [0]
        case "\\": return [92]
        case "x":
            let digits = rest.prefix(2)
            rest = rest.dropFirst(2)
            return UInt8(digits, radix: 16).map { [$0] }
        case "u":
            guard rest.popFirst() == "{", let digits = take(until: "}", from: &rest),
                let value = UInt32(digits, radix: 16)
            else { return nil }
            return Unicode.Scalar(value).map { Array(String($0).utf8) }
        case "(":
            guard let digits = take(until: "*", from: &rest), let count = Int(digits), count <= 100_000,
                let unit = take(until: ")", from: &rest), let bytes = decode(String(unit))
            else { return nil }
            return Array(repeatElement(bytes, count: count).joined())
        default: return nil
        }
    }

    private static func take(until end: Character, from rest: inout Substring) -> Substring? {
        guard let index = rest.firstIndex(of: end) else { return nil }
        defer { rest = rest[rest.index(after: index)...] }
        return rest[..<index]
    }
}
