internal import SwitchyardJSON

extension JSONObject {
    /// Seconds since 1970; a fraction is cut off (RFC 7519 section 2 allows one). nil for anything that is no such time.
    subscript(numericDate name: String) -> Int64? {
        switch self[name] {
        case .integer(let seconds): seconds
        // Beyond that no clock comes, and sums with it would overflow.
        case .number(let seconds) where seconds.magnitude < 0x1p62: Int64(seconds)
        default: nil
        }
    }
}
