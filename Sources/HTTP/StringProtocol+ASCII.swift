extension StringProtocol {
    /// With A to Z in lower case and nothing else changed. Beyond ASCII there are letters whose lower case is an ASCII one,
    /// such as the Kelvin sign: to the next program on the way they would be another word.
    public var asciiLowercased: String {
        String(decoding: utf8.map { ByteClass.lowercased($0) }, as: UTF8.self)
    }

    /// The parts between commas, by bytes: a comma with a combining mark behind it is another character, but it still ends
    /// the element of a list (RFC 9110 section 5.6.1).
    public var listElements: [Substring] {
        utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            Substring(decoding: $0, as: UTF8.self)
        }
    }
}
