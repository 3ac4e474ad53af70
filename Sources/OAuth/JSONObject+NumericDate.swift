internal import JSON

extension JSONObject {
    /// A NumericDate (RFC 7519 section 2) in whole seconds since 1970, a fraction cut off; nil for anything else.
    func numericDate(_ name: String) -> Int64? {
        switch self[name] {
        case .integer(let seconds): seconds
        case .number(let seconds) where seconds.magnitude < 0x1p62: Int64(seconds)
        default: nil
        }
    }
}
