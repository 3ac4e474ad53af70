/// A listener that was read, and where it stands, for the rules that look beyond it.
struct DecodedListener {
    let configuration: ListenerConfiguration
    let place: Place
}
