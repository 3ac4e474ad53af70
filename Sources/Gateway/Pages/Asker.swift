/// Who began a sign-in, as far as the person at the browser can make use of it (design chapter 6, rule 8).
struct Asker: Sendable, Equatable {
    /// Where the program that began the sign-in is.
    enum Place: Sendable, Equatable {
        /// The network address that it asked from, as text.
        case address(String)
        /// It asked over a Unix socket: it runs on the gateway's own machine.
        case thisMachine
        /// It asked through a proxy that does not say for whom.
        case unknown
    }

    let place: Place
    /// When it asked, for people to read: `2026-11-21 06:05 UTC`.
    let time: String
    /// Whether the browser comes from the same address. A help for the person, and no proof: an attacker can share an
    /// address with the victim. Nothing is said about it for another `place`.
    let isSameAddress: Bool

    init(place: Place, time: String, isSameAddress: Bool = false) {
        self.place = place
        self.time = time
        self.isSameAddress = isSameAddress
    }
}
