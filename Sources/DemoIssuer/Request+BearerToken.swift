internal import SwitchyardHTTP

extension Request {
    /// The access token of the field `Authorization` (RFC 6750 section 2.1).
    var bearerToken: String? {
        guard let parts = field("authorization")?.split(separator: " "), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }
}
