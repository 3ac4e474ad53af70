internal import SwitchyardText

extension URIParts {
    /// Refuses a path that two programs on its way could read differently.
    func checkPath() throws(RedirectURIError.Kind) {
        guard !path.contains(UInt8(ascii: "[")), !path.contains(UInt8(ascii: "]")) else { throw .forbiddenCharacter }
        try checkEscapes()
        // The first segment is the text before the leading slash; the last is empty after a final slash, which is
        // valid.
        var (start, isFirst, hasDots) = (path.startIndex, true, false)
        while let slash = path[start...].firstIndex(of: UInt8(ascii: "/")) {
            guard start < slash || isFirst else { throw .emptySegment }
            hasDots = hasDots || Self.isDotSegment(path[start..<slash])
            (start, isFirst) = (slash + 1, false)
        }
        guard !hasDots, !Self.isDotSegment(path[start...]) else { throw .dotSegment }
    }

    private func checkEscapes() throws(RedirectURIError.Kind) {
        guard path.contains(UInt8(ascii: "%")) else { return }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(path.count)
        var index = path.startIndex
        while index < path.endIndex {
            guard path[index] == UInt8(ascii: "%") else {
                decoded.append(path[index])
                index += 1
                continue
            }
            guard index + 2 < path.endIndex, let high = ASCII.hexValue(path[index + 1]),
                let low = ASCII.hexValue(path[index + 2])
            else { throw .invalidPercentEncoding }
            let byte = high << 4 | low
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "%"): throw .encodedSeparator
            case 0..<0x20, 0x7F: throw .forbiddenCharacter
            default: decoded.append(byte)
            }
            index += 3
        }
        guard String(validating: decoded, as: UTF8.self) != nil else { throw .invalidPercentEncoding }
    }

    /// Browsers take `%2e` for a dot, and some servers cut a segment at its semicolon before they look at it.
    private static func isDotSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        guard segment.first == UInt8(ascii: ".") || segment.first == UInt8(ascii: "%") else { return false }
        let name = String(decoding: segment.prefix { $0 != UInt8(ascii: ";") }.map(ASCII.lowercased), as: UTF8.self)
        return [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"].contains(name)
    }
}
