internal import SwitchyardHTTP
internal import SwitchyardText

extension Request {
    /// The time that the client prefers to wait for an answer (`Prefer: wait=N`, RFC 7240 section 4.3); nil without a
    /// readable one. If there are several, the first counts.
    var preferredWait: Duration? {
        fieldValues("prefer").lazy.flatMap { $0.listElements }.compactMap(Self.wait).first.map { .seconds($0) }
    }

    /// The seconds of `wait=N`; a number that overflows counts as a large one.
    private static func wait(_ preference: Substring) -> Int? {
        let parameter = preference.prefix(before: UInt8(ascii: ";"))
        let name = parameter.prefix(before: UInt8(ascii: "="))
        guard name.trimmingSpaces().asciiLowercased == "wait" else { return nil }
        let value = parameter[name.endIndex...].utf8.dropFirst()
        let digits = Substring(value).trimmingSpaces().utf8.filter { $0 != UInt8(ascii: "\"") }
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
