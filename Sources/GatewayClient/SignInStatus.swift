/// The status of a request in a gateway's API: gateways write it, and apps read it.
public enum SignInStatus: String, Sendable {
    case pending
    /// The code is held until it is released.
    case releaseRequired = "release_required"
    case completed, failed, expired
}
