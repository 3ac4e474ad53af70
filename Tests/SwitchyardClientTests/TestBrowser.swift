import SwitchyardHTTPClient
import SwitchyardReactor
import TestSupport

/// A browser at an issuer that shows no page: it follows redirects.
final class TestBrowser: Sendable {
    struct Answer: Sendable {
        let status: Int
        let text: String
        let location: String?
        let headers: [String: String]
    }

    private let loop: TestLoop
    private let client: HTTPClient

    init() throws {
        let loop = try TestLoop()
        self.loop = loop
        client = HTTPClient(loop: loop.loop)
    }

    func get(_ url: String, headers: [(String, String)] = []) async -> Answer? {
        await loop.run { [client] in
            let request = OutgoingRequest(
                .get, url, headers: headers, trustAnchor: nil, allowsPlainHTTP: true)
            guard let response = try? await client.send(request) else { return nil }
            return Answer(
                status: response.status, text: String(decoding: response.body, as: UTF8.self),
                location: response.header("Location"), headers: response.headers)
        }
    }

    /// The callback that the issuer sends the browser to.
    func callback(_ authorizationURL: String) async -> String {
        await get(authorizationURL)?.location ?? "no callback"
    }

    /// Follows redirects to the last page.
    @discardableResult
    func open(_ url: String) async -> Answer? {
        var answer = await get(url)
        for _ in 0..<5 {
            guard let next = answer?.location else { break }
            answer = await get(next)
        }
        return answer
    }
}
