/// The grammar that values of header fields have in common.
extension StringProtocol {
    /// The parts between commas, by bytes: a comma with a combining mark behind it is another character, but it still
    /// ends the element of a list (RFC 9110 section 5.6.1).
    @inlinable
    public var listElements: [Substring] {
        utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
            Substring(decoding: $0, as: UTF8.self)
        }
    }

    /// The thousandths, 0 to 1000, of a weight such as `q=0.8` (RFC 9110 section 12.4.2); nil for any other text.
    public var weight: Int? {
        let digits = utf8.dropFirst(2)
        guard utf8.prefix(2).map(ASCII.lowercased) == Array("q=".utf8), let whole = digits.first,
            whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), digits.count <= 5
        else { return nil }
        let fraction = digits.dropFirst()
        guard fraction.isEmpty || fraction.first == UInt8(ascii: ".") else { return nil }
        var thousandths = Int(whole - UInt8(ascii: "0")) * 1000
        var place = 100
        for digit in fraction.dropFirst() {
            guard ASCII.isDigit(digit) else { return nil }
            thousandths += Int(digit - UInt8(ascii: "0")) * place
            place /= 10
        }
        return thousandths <= 1000 ? thousandths : nil
    }
}
