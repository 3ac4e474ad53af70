import SwitchyardBridge

/// The output of a session. The first byte is the width of its terminal, the second cuts the rest.
enum TerminalOutputTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard bytes.count > 2 else { return }
        let (columns, size, output) = (Int(bytes[0]), Int(bytes[1] % 7) + 1, bytes[2...])
        for isTerminal in [true, false] {
            var whole = TerminalWatcher(columns: columns, isTerminal: isTerminal)
            var found = whole.take(output)
            found += whole.rest()
            var cut = TerminalWatcher(columns: columns, isTerminal: isTerminal)
            var foundInPieces: [String] = []
            var rest = output
            while !rest.isEmpty {
                foundInPieces += cut.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            foundInPieces += cut.rest()
            try require(found == foundInPieces, "pieces give what the whole gives")
            try require(whole.isAtRest == cut.isAtRest, "pieces end where the whole ends")
            for address in found {
                try require(address.utf8.count <= AddressJudge.maximumBytes * 4, "what is found is bounded")
                _ = AddressJudge.judge(address)
            }
        }
    }
}
