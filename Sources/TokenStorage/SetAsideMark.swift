internal import Glibc
internal import SwitchyardCrypto

/// A mark for something set aside: the time, for people, and random characters, so that no two are the same.
enum SetAsideMark {
    /// Such as `20260102T030405Z-x4Fq0_p1Lm2c`, in UTC.
    static func next() -> String {
        "\(text(of: time(nil)))-\(Random.token(byteCount: 9))"
    }

    static func text(of time: time_t) -> String {
        var time = time
        var parts = unsafe tm()
        var text = [CChar](repeating: 0, count: 32)
        unsafe gmtime_r(&time, &parts)
        let count = unsafe strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
