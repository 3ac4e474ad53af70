/// The proof, before a held code is redeemed, that the person at the browser and the app belong together.
public enum ReleasePolicy: String, CaseIterable, Sendable {
    /// The person carries a short code from the page into the program.
    case code
    /// Begin, callback and collect come from one address that is loopback or in a listed network.
    case sameNetwork = "same_network"
    /// The browser goes on to an address of the app on the same device, with a one-time ticket.
    case sameDevice = "same_device"
    /// No proof: this protects against no attacker.
    case none
}
