import SwitchyardCrypto
import SwitchyardPendingRequests

@testable import SwitchyardGateway
@testable import SwitchyardHTTP

/// The cookie of a sign-in, in whatever a browser may send as `Cookie`.
enum CallbackCookieTarget {
    /// The values that the corpus and the dictionary use.
    private static let reference = "QTMJ19NS5J"

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let request = request(bytes), let reference = Reference(reference) else { return }
        guard let cookie = CallbackCookie(Cookies(request), for: reference) else { return }
        let pair = "__Host-sy-done-\(reference)=\(cookie.id).\(cookie.secret.exposedText)"
        try require(!pair.utf8.contains(UInt8(ascii: ";")), "a cookie ends at its semicolon")
        try require(!pair.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F }, "a cookie holds no control")
        let isThere = request.fieldValues("cookie").contains { contains($0, pair) }
        try require(isThere, "a cookie is one that came")
        // One that is written back is found again, and what stands around it does not matter. The semicolon keeps a
        // space at its end, which the field itself would lose.
        for field in ["\(pair);", "a=b; \(pair); c=d"] {
            guard let request = self.request(Array(field.utf8)) else { continue }
            let again = CallbackCookie(Cookies(request), for: reference)
            try require(
                again?.id == cookie.id && again?.secret == cookie.secret, "a cookie that is written back is the same")
        }
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return (0...max(0, text.count - part.count)).contains { text[$0...].starts(with: part) }
    }

    private static func request(_ cookies: [UInt8]) -> Request? {
        guard var request = SampleConnection.request() else { return nil }
        let head = Array("GET / HTTP/1.1\r\nHost: a\r\nCookie: ".utf8) + cookies + "\r\n\r\n".utf8
        var parser = RequestHeadParser(limits: HTTPLimits())
        let framing = try? parser.parse(head, count: head.count, into: &request)
        return framing == nil ? nil : request
    }
}
