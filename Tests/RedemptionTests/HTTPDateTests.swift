import Testing

@testable import SwitchyardRedemption

@Suite("HTTP dates")
struct HTTPDateTests {
    static let dates: [(text: String, seconds: Int64)] = [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Sun, 17 Mar 2030 17:46:40 GMT", 1_900_000_000), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Friday, 01-Mar-24 00:00:00 GMT", 1_709_251_200), ("Sun Mar 17 17:46:40 2030", 1_900_000_000),
    ]

    @Test("each of the three formats is read", arguments: dates)
    func read(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text) == seconds)
    }

    static let refused = [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov  16 08:49:37 1994", "Sun  Nov 6 08:49:37 1994", "Sun Nov 31 08:49:37 1994",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 2001 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
    ]

    @Test("anything else is refused", arguments: refused)
    func refuse(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
