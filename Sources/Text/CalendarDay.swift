/// A day of the Gregorian calendar, in UTC.
struct CalendarDay: Equatable {
    let year: Int64
    /// From 1.
    let month: Int64
    /// From 1.
    let date: Int64

    /// - Parameter day: counted from 1970-01-01. Years are taken to begin in March, so that the leap day is the last
    ///   one of its year and month lengths follow a straight line.
    init(since1970 day: Int64) {
        let (era, dayOfEra) = (day + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        date = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    }

    /// nil for a day that does not exist, and before 1970.
    init?(year: Int64, month: Int64, date: Int64) {
        guard year >= 1970, (1...12).contains(month), date >= 1,
            date <= Self.lengths[Int(month) - 1] + (month == 2 && Self.isLeap(year) ? 1 : 0)
        else { return nil }
        self.year = year
        self.month = month
        self.date = date
    }

    /// Days since 1970-01-01; the reverse of ``init(since1970:)``.
    var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear / 400
        let yearOfEra = marchYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

extension Int64 {
    /// Rounds down, so that what lies before 1970 counts on in the same direction; `/` and `%` round towards zero.
    func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
