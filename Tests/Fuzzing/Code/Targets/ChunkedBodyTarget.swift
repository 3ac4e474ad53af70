@testable import SwitchyardHTTP

/// The chunked transfer coding.
enum ChunkedBodyTarget {
    private enum Outcome: Equatable {
        case body([UInt8], used: Int)
        case incomplete([UInt8])
        case refused(HTTPError)
    }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        for maximum in [64 * 1024, 16] {
            let whole = try decode(bytes, in: [bytes.count], maximum)
            for pieces in [[1], [2, 1], bytes.prefix(8).map { Int($0 & 15) + 1 } + [5]] {
                try require(try decode(bytes, in: pieces, maximum) == whole, "a body in pieces is the same body")
            }
            guard case .body(let body, let used) = whole else { continue }
            try require(
                try decode(Array(bytes[..<used]), in: [used], maximum) == whole, "what follows a body does not matter")
            let size = body.isEmpty ? [] : Array("\(String(body.count, radix: 16))\r\n".utf8) + body + "\r\n".utf8
            let written = size + "0\r\n\r\n".utf8
            try require(
                try decode(written, in: [written.count], maximum) == .body(body, used: written.count),
                "a body that is written back is the same")
        }
    }

    private static func decode(_ bytes: [UInt8], in pieces: [Int], _ maximum: Int) throws(BrokenInvariant) -> Outcome {
        var decoder = ChunkedDecoder(maximumBody: maximum)
        var body: [UInt8] = []
        var used = 0
        var piece = 0
        while used < bytes.count, !decoder.isDone {
            let end = min(bytes.count, used + max(1, pieces[piece % pieces.count]))
            piece += 1
            let count: Int
            do throws(HTTPError) {
                count = try decoder.decode(bytes[used..<end], into: &body)
            } catch {
                return .refused(error)
            }
            try require(count == end - used || decoder.isDone, "every byte is used until the body ends")
            used += count
            try require(body.count <= maximum && body.count <= used, "a body is bounded")
        }
        return decoder.isDone ? .body(body, used: used) : .incomplete(body)
    }
}
