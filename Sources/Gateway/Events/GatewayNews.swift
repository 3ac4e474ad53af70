internal import SwitchyardConfiguration

/// The news of the gateway as a whole.
enum GatewayNews: Sendable {
    case listening(address: String, isSecure: Bool, services: [ListenerConfiguration.Service])
    case ready(publicURL: String)
    /// The store of the requests.
    case storeChosen(Configuration.Store)
    /// How the store is set up may lose requests.
    case storeWarning(String)
    /// Something in the configuration that can be used but probably should not be.
    case configurationWarning(String)
    /// A configuration was read and taken.
    case reloaded(file: String, apps: Int, issuers: Int, filesLeftOut: Int)
    /// A configuration was read and cannot be used; the old one stays.
    case reloadRefused(file: String, reason: String)
    /// A listener shows certificates that have changed on the disk.
    case certificateTaken(address: String)
    /// They have changed, and cannot be used as they are; the old ones stay.
    case certificateRefused(reason: String)
    /// The store works again.
    case storeBack
    /// Requests of the store are sealed with an encryption key that is not configured.
    case keyMissing(id: String)
    /// The disk of the store stands still, and this gateway ends: the reason has what is not known of its last changes.
    case storeNotClosed(reason: String)
    /// The gateway that carries callbacks for some app does not answer; reported for the first call of a series.
    case remoteSilent(gateway: String, reason: String)
    /// The histories of sign-ins cannot be kept; these entries are lost, or in memory alone until they can.
    case historyFailed(entries: Int, reason: String)
    /// The session has a keyring, and this agent keeps tokens in a file, because libsecret is missing.
    case libsecretMissing(remedy: String)
    /// The program was begun anew to take this one's place.
    case upgradeBegun(process: Int32)
    /// It serves, and this one ends.
    case upgraded(process: Int32)
    /// The upgrade failed; this one serves on.
    case upgradeRefused(reason: String)
    case stopping
    /// - Parameter cut: connections and redemptions that were not over in time.
    case stopped(cut: Int)
}
