internal import Glibc

/// A second of the Gregorian calendar, in UTC.
struct CalendarTime: Equatable {
    let year: Int64
    /// From 1.
    let month: Int64
    /// From 1.
    let day: Int64
    let hour: Int64
    let minute: Int64
    let second: Int64
    /// From 0, which is Sunday.
    let weekday: Int

    /// - Parameter seconds: since 1970-01-01T00:00:00Z, limited to the years that dates can say (``ISODate/sayable``).
    init(seconds: Int64) {
        var time = time_t(min(max(seconds, ISODate.sayable.lowerBound), ISODate.sayable.upperBound))
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        unsafe (year, month, day) = (Int64(parts.tm_year) + 1900, Int64(parts.tm_mon) + 1, Int64(parts.tm_mday))
        unsafe (hour, minute, second) = (Int64(parts.tm_hour), Int64(parts.tm_min), Int64(parts.tm_sec))
        unsafe weekday = Int(parts.tm_wday)
    }

    /// The seconds from 1970-01-01T00:00:00Z to a day; nil for a day that does not exist, and before 1970.
    static func seconds(year: Int64, month: Int64, day: Int64) -> Int64? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year) - 1900, Int32(month) - 1, Int32(day))
        let seconds = unsafe timegm(&parts)
        // A day after the month's end becomes one of the next month.
        return unsafe parts.tm_mday == Int32(day) ? Int64(seconds) : nil
    }
}
