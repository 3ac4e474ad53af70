import SwitchyardJSON

/// JSON, of apps and of issuers.
enum JSONTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes)
        } catch {
            try require(!error.message.isEmpty && error.line >= -1, "a refusal explains")
            return
        }
        try checkNames(value)
        let written = value.serialized
        try require(written.count <= bytes.count * 24 + 24, "writing is bounded")
        try require(String(validating: written, as: UTF8.self) != nil, "what is written is UTF-8")
        try require(!written.contains { $0 < 0x20 || $0 == 0x7F }, "what is written is one line")
        let again = try? JSONValue.parse(written)
        try require(again == value, "a value that is written back is the same")
        try require(again?.serialized == written, "one value has one text")
    }

    /// Each name finds its own value. Byte for byte, as the reader compares them: two that only look alike are two.
    private static func checkNames(_ value: JSONValue) throws(BrokenInvariant) {
        switch value {
        case .array(let elements): for element in elements { try checkNames(element) }
        case .object(let object):
            guard object.members.count <= 100 else { return }
            for member in object.members {
                try require(object[member.name] == member.value, "a name finds its own value")
                try checkNames(member.value)
            }
        default: break
        }
    }
}
