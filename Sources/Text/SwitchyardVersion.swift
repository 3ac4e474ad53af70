/// The version of this software, which all of its parts share.
public enum SwitchyardVersion {
    public static let text = "0.1.0"

    /// The name by which Switchyard's own calls introduce themselves to servers (RFC 9110 section 10.1.5).
    public static let userAgent = "switchyard/\(text)"
}
