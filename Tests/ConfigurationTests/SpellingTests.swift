import Testing

@testable import SwitchyardConfiguration

@Suite("The nearest known word") struct SpellingTests {
    @Test(
        "a slip of the hand finds its word, another word does not",
        arguments: [
            ("redirect_uri", "redirect_uris"), ("clientid", "client_id"), ("realese", "release"), ("nmae", "name"),
            ("banana", nil), ("x", nil), ("", nil), (String(repeating: "release", count: 100), nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        #expect(Spelling.nearest(to: word, among: ["redirect_uris", "client_id", "release", "name"]) == expected)
    }
}
