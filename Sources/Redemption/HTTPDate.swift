/// A date in the format that HTTP sends, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
///
/// The two obsolete formats are not read: a header with one counts as absent.
enum HTTPDate {
    /// Seconds since 1970; nil for anything but an existing day in exactly this format. The name of the day is not
    /// compared with the date.
    static func parse(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, dayNames.contains(parts[0]), parts[5] == "GMT",
            let day = number(parts[1], digits: 2), let month = monthNames.firstIndex(of: parts[2]),
            let year = number(parts[3], digits: 4), year >= 1970, let seconds = secondsOfDay(parts[4]),
            (1...days(ofMonth: month, year: year)).contains(day)
        else { return nil }
        return (daysSince1970(year: year, month: month) + day - 1) * 86_400 + seconds
    }

    private static let dayNames: Set<Substring> = ["Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,", "Sun,"]
    private static let monthNames: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let monthDays: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// A leap second is let pass.
    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(ofMonth month: Int, year: Int64) -> Int64 {
        monthDays[month] + (month == 1 && isLeap(year) ? 1 : 0)
    }

    /// Days to the first of a month, which counts from 0.
    private static func daysSince1970(year: Int64, month: Int) -> Int64 {
        let leapDays = { (year: Int64) in year / 4 - year / 100 + year / 400 }
        let toYear = (year - 1970) * 365 + leapDays(year - 1) - leapDays(1969)
        return (0..<month).reduce(toYear) { $0 + days(ofMonth: $1, year: year) }
    }
}
