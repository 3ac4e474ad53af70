import SwitchyardTLS

/// The bytes of a TLS client before a session reads them.
enum ClientHelloTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let whole = try read(bytes, in: [bytes.count])
        for pieces in [[1], [2, 1], [5, 4], bytes.prefix(8).map { Int($0 & 15) + 1 } + [7]] {
            try require(try read(bytes, in: pieces) == whole, "a hello in pieces is the same hello")
        }
        guard case .complete(let records) = whole else { return }
        var again = FirstHello()
        try require(again.read(records[...]) == .complete(records), "a hello in our records is the same hello")
        var later = LaterHello()
        let isPermitted = later.permits(records[...])
        for size in [1, 3, 64] {
            var inPieces = LaterHello()
            var rest = records[...]
            var permits = true
            while permits, !rest.isEmpty {
                permits = inPieces.permits(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            try require(permits == isPermitted, "later messages in pieces are the same messages")
        }
    }

    /// - Returns: with all bytes behind a hello, however much of them came with its last piece.
    private static func read(_ bytes: [UInt8], in pieces: [Int]) throws(BrokenInvariant) -> FirstHello.Step {
        var hello = FirstHello()
        var used = 0
        var piece = 0
        while used < bytes.count {
            let end = min(bytes.count, used + max(1, pieces[piece % pieces.count]))
            piece += 1
            let step = hello.read(bytes[used..<end])
            used = end
            try require(hello.heldBytes <= 4 * (FirstHello.maximumLength + 4), "a hello is bounded")
            switch step {
            case .incomplete: continue
            case .refused: return step
            case .complete(let records): return .complete(records + bytes[end...])
            }
        }
        return .incomplete
    }
}
