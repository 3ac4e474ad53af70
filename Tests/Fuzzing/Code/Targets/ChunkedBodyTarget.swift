@testable import SwitchyardHTTP

/// The chunked transfer coding.
enum ChunkedBodyTarget {
    private enum Outcome: Equatable {
        case body([UInt8], used: Int)
        case incomplete([UInt8])
        case refused(HTTPError)
    }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var small = HTTPLimits()
        small.bodyBytes = 16
        small.headerBytes = 32
        small.headerFields = 2
        for limits in [HTTPLimits(), small] {
            let whole = try decode(bytes, in: [bytes.count], limits)
            for pieces in [[1], [2, 1], bytes.prefix(8).map { Int($0 & 15) + 1 } + [5]] {
                try require(try decode(bytes, in: pieces, limits) == whole, "a body in pieces is the same body")
            }
            guard case .body(let body, let used) = whole else { continue }
            try require(
                try decode(Array(bytes[..<used]), in: [used], limits) == whole, "what follows a body does not matter")
            let size = body.isEmpty ? [] : Array("\(String(body.count, radix: 16))\r\n".utf8) + body + "\r\n".utf8
            let written = size + "0\r\n\r\n".utf8
            try require(
                try decode(written, in: [written.count], limits) == .body(body, used: written.count),
                "a body that is written back is the same")
        }
    }

    private static func decode(_ bytes: [UInt8], in pieces: [Int], _ limits: HTTPLimits) throws(BrokenInvariant)
        -> Outcome
    {
        var decoder = ChunkedDecoder(limits: limits)
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
            try require(body.count <= limits.bodyBytes && body.count <= used, "a body is bounded")
        }
        return decoder.isDone ? .body(body, used: used) : .incomplete(body)
    }
}
