/// A date in one of the three formats that HTTP knows (RFC 9110 section 5.6.7).
enum HTTPDate {
    /// Seconds since 1970; nil for anything but an existing day in exactly one of the formats. The name of the day is not
    /// compared with the date.
    static func parse(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        switch (parts.count, text.utf8.count) {
        // Sun, 06 Nov 1994 08:49:37 GMT
        case (6, 29) where dayNames.contains(parts[0].dropLast()) && parts[0].last == "," && parts[5] == "GMT":
            return seconds(number(parts[1], digits: 2), parts[2], number(parts[3], digits: 4), parts[4])
        // Sunday, 06-Nov-94 08:49:37 GMT: two digits of the year, which are of this century up to 69.
        case (4, _) where longDayNames.contains(parts[0].dropLast()) && parts[0].last == "," && parts[3] == "GMT":
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, let year = number(date[2], digits: 2) else { return nil }
            return seconds(number(date[0], digits: 2), date[1], year + (year < 70 ? 2000 : 1900), parts[2])
        // Sun Nov  6 08:49:37 1994: a day of one digit has a second space before it.
        case (6, 24) where dayNames.contains(parts[0]) && parts[2].isEmpty:
            return seconds(number(parts[3], digits: 1), parts[1], number(parts[5], digits: 4), parts[4])
        case (5, 24) where dayNames.contains(parts[0]):
            return seconds(number(parts[2], digits: 2), parts[1], number(parts[4], digits: 4), parts[3])
        default: return nil
        }
    }

    private static func seconds(_ day: Int64?, _ month: Substring, _ year: Int64?, _ time: Substring) -> Int64? {
        guard let day, let year, year >= 1970, let month = monthNames.firstIndex(of: month),
            let seconds = secondsOfDay(time), (1...days(ofMonth: month, year: year)).contains(day)
        else { return nil }
        return (daysSince1970(year: year, month: month) + day - 1) * 86_400 + seconds
    }

    private static let dayNames: Set<Substring> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDayNames: Set<Substring> = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
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
