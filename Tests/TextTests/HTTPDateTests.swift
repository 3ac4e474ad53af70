import SwitchyardText
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "dates are written as RFC 9110 wants them",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
            (1_795_230_000, "Sat, 21 Nov 2026 03:00:00 GMT"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
            (1_798_761_600, "Fri, 01 Jan 2027 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            // A certificate may have ended then.
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-86_400, "Wed, 31 Dec 1969 00:00:00 GMT"),
            (-315_619_200, "Fri, 01 Jan 1960 00:00:00 GMT"), (-2_208_988_800, "Mon, 01 Jan 1900 00:00:00 GMT"),
            (-62_135_596_800, "Mon, 01 Jan 1 00:00:00 GMT"),
        ] as [(Int64, String)])
    func format(seconds: Int64, text: String) {
        #expect(HTTPDate.format(seconds) == text)
    }

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

    @Test(
        "what is written is read back",
        arguments: Array(stride(from: Int64(0), through: 4_200_000_000, by: 123_456_789)))
    func roundTrip(seconds: Int64) {
        #expect(HTTPDate.parse(HTTPDate.format(seconds)) == seconds)
    }

    @Test("anything else is refused", arguments: refused)
    func refuse(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}

@Suite("Dates of logs and pages")
struct ISODateTests {
    @Test(
        "time stamps have milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_795_230_000_007, "2026-11-21T03:00:00.007Z"),
            (951_825_599_999, "2000-02-29T11:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
            (.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func format(milliseconds: Int64, text: String) {
        #expect(ISODate.format(milliseconds) == text)
    }

    @Test(
        "a whole second has no fraction, and no number of them is too large",
        arguments: [
            (1_795_230_000, "2026-11-21T03:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (.max, "9999-12-31T23:59:59Z"),
            (.min, "0000-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func format(seconds: Int64, text: String) {
        #expect(ISODate.format(seconds: seconds) == text)
    }

    @Test("names of files have neither colons nor dashes")
    func compact() {
        #expect(ISODate.compact(seconds: 1_795_230_000) == "20261121T030000Z")
    }

    @Test("a reading of the clock is rounded down, and ends at the ends of its range")
    func wallTime() {
        let time = WallTime(nanoseconds: 1_795_230_000_999_999_999)
        #expect(time.seconds == 1_795_230_000 && time.milliseconds == 1_795_230_000_999)
        #expect(WallTime(milliseconds: .max).nanoseconds == .max && WallTime(milliseconds: .min).nanoseconds == .min)
        #expect(WallTime(milliseconds: 1_795_230_000_999) < time)
    }

    @Test("people read the minute")
    func minutes() {
        #expect(ISODate.minutes(1_795_230_000_007) == "2026-11-21 03:00 UTC")
    }
}
