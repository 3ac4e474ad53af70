internal import SwitchyardReactor

/// The `Date` field line (RFC 9110 section 6.6.1), made anew once a second. Belongs to one loop.
final class DateField {
    private let loop: EventLoop
    private var line: [UInt8] = []
    private var validUntil = Instant(nanoseconds: 0)

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// `Date: Sat, 21 Nov 2026 03:00:00 GMT` and its line break.
    func current() -> [UInt8] {
        if loop.now >= validUntil {
            let milliseconds = WallClock.milliseconds()
            line = Array("Date: \(HTTPDate.format(milliseconds / 1000))\r\n".utf8)
            validUntil = loop.now + .milliseconds(1000 - milliseconds % 1000)
        }
        return line
    }
}

/// Dates in the form of RFC 9110 section 5.6.7.
public enum HTTPDate {
    /// - Parameter seconds: since 1970-01-01T00:00:00Z.
    public static func format(_ seconds: Int64) -> String {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = seconds / 86400
        let (year, month, date) = civil(day)
        return "\(days[Int(day % 7)]), \(two(date)) \(months[Int(month - 1)]) \(year) \(clock(seconds)) GMT"
    }

    /// A time stamp for people and programs that read a log (RFC 3339).
    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
    public static func rfc3339(_ milliseconds: Int64) -> String {
        let (year, month, date) = civil(milliseconds / 86_400_000)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(year)-\(two(month))-\(two(date))T\(clock(milliseconds / 1000)).\(fraction)Z"
    }

    /// `2026-11-21 06:05 UTC`, for people.
    /// - Parameter milliseconds: since 1970.
    public static func minutes(_ milliseconds: Int64) -> String {
        let (year, month, date) = civil(milliseconds / 86_400_000)
        return "\(year)-\(two(month))-\(two(date)) \(clock(milliseconds / 1000).dropLast(3)) UTC"
    }

    private static func clock(_ seconds: Int64) -> String {
        let second = seconds % 86400
        return "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date of a day, counted from 1970-01-01. Years are taken to begin in March, so that the leap day is
    /// the last one of its year and month lengths follow a straight line.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, date: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
