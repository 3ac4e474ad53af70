/// The words of the page that comes before the issuer when the link was opened at another address than the program's.
struct StartConfirmation: Sendable {
    /// The only heading of the page, and its title.
    let heading: String
    /// Who asks for what, when the program has a network address.
    let atAddress: AskerPhrase
    /// The same when the program runs on the gateway's machine.
    let onThisMachine: AppPhrase
    /// The same when nobody can tell where the program is.
    let somewhere: AppPhrase
    /// That it may be an attack, and what to do then.
    let warning: String
    /// The link to the issuer.
    let proceed: String
}
