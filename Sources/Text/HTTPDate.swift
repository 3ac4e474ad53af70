/// Dates as HTTP writes and reads them (RFC 9110 section 5.6.7). All times are seconds since 1970-01-01T00:00:00Z.
public enum HTTPDate {
    /// `Sat, 21 Nov 2026 03:00:00 GMT`.
    public static func format(_ seconds: Int64) -> String {
        let time = CalendarTime(seconds: seconds)
        let (name, month) = (dayNames[time.weekday], monthNames[Int(time.month) - 1])
        return "\(name), \(twoDigits(time.day)) \(month) \(time.year) \(clock(time)) GMT"
    }

    /// Reads each of the three formats that HTTP knows; nil for anything but an existing day in exactly one of them,
    /// from 1970 on. The name of the day is not compared with the date.
    public static func parse(_ text: String) -> Int64? {
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

    private static func seconds(_ date: Int64?, _ month: Substring, _ year: Int64?, _ time: Substring) -> Int64? {
        guard let date, let year, let month = monthNames.firstIndex(of: month), let seconds = secondsOfDay(time),
            let day = CalendarTime.seconds(year: year, month: Int64(month) + 1, day: date)
        else { return nil }
        return day + seconds
    }

    private static let dayNames: [Substring] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDayNames: [Substring] = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let monthNames: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
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
}

/// Times as logs and people read them. All times are milliseconds since 1970-01-01T00:00:00Z.
public enum ISODate {
    /// The range of RFC 3339, the years 0 to 9999, in seconds since 1970.
    public static let sayable = -62_167_219_200...253_402_300_799 as ClosedRange<Int64>

    /// `2026-11-21T03:00:00.007Z` (RFC 3339). A time that cannot be said is the nearest that can.
    public static func format(_ milliseconds: Int64) -> String {
        // Digit by digit: every line of the log begins with it.
        let sayable = Self.sayable.lowerBound * 1000...Self.sayable.upperBound * 1000 + 999
        let (seconds, rest) = min(max(milliseconds, sayable.lowerBound), sayable.upperBound).floored(by: 1000)
        let time = CalendarTime(seconds: seconds)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(time.year, digits: 4, UInt8(ascii: "-"), to: &text)
        append(time.month, digits: 2, UInt8(ascii: "-"), to: &text)
        append(time.day, digits: 2, UInt8(ascii: "T"), to: &text)
        append(time.hour, digits: 2, UInt8(ascii: ":"), to: &text)
        append(time.minute, digits: 2, UInt8(ascii: ":"), to: &text)
        append(time.second, digits: 2, UInt8(ascii: "."), to: &text)
        append(rest, digits: 3, UInt8(ascii: "Z"), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// `2026-11-21T03:00:00Z`, for readers that know no fractions. A time that cannot be said is the nearest that can.
    /// - Parameter seconds: since 1970.
    public static func format(seconds: Int64) -> String {
        "\(format(min(max(seconds, sayable.lowerBound), sayable.upperBound) * 1000).dropLast(".000Z".count))Z"
    }

    private static func append(_ number: Int64, digits: Int, _ sign: UInt8, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(48 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        text.append(sign)
    }

    /// `2026-11-21 06:05 UTC`, for people.
    public static func minutes(_ milliseconds: Int64) -> String {
        let time = CalendarTime(seconds: milliseconds.floored(by: 1000).quotient)
        return "\(time.year)-\(twoDigits(time.month))-\(twoDigits(time.day)) \(clock(time).dropLast(3)) UTC"
    }

    /// `20260102T030405Z`, for names of files.
    /// - Parameter seconds: since 1970.
    public static func compact(seconds: Int64) -> String {
        format(seconds: seconds).filter { $0 != "-" && $0 != ":" }
    }
}

extension Int64 {
    /// Rounds down, so that what lies before 1970 counts on in the same direction; `/` and `%` round towards zero.
    fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

private func clock(_ time: CalendarTime) -> String {
    "\(twoDigits(time.hour)):\(twoDigits(time.minute)):\(twoDigits(time.second))"
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
