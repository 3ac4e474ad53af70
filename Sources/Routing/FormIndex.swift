internal import SwitchyardOAuth

/// A hash table from the form of a redirect URI to the position of its route.
///
/// Open addressing over one flat array. A look-up with raw bytes does not allocate. It takes one hash and fewer than
/// one and a half probes on average, and reads the key's bytes once: the work does not grow with the number of apps.
/// The table holds the operator's data alone, so a caller cannot make it degenerate.
struct FormIndex {
    /// A form and its route. The form is two texts, which stand in `text`, and a number that keeps the kinds apart.
    private struct Slot {
        var hash: UInt32 = 0
        var start: UInt32 = 0
        /// A redirect URI is at most 2048 bytes long.
        var nameLength: UInt16 = 0
        var pathLength: UInt16 = 0
        var discriminator: UInt32 = 0
        /// The position of the route plus one; 0 is a free slot.
        var route: UInt32 = 0
    }

    /// https forms have their port as discriminator, the others a number that no port is.
    private static let loopback: UInt32 = 65536
    private static let customScheme: UInt32 = 65537
    /// Added for patterns, so that no address on the wire is taken for one, not even one that ends with `*`.
    private static let pattern: UInt32 = 1 << 17

    private let seed: UInt64
    private let mask: Int
    private var slots: [Slot]
    private var text: [UInt8] = []
    /// Whether there is a pattern; without one, an address costs one look-up.
    private var hasPatterns = false

    /// - Parameter capacity: how many forms there will be at most.
    init(capacity: Int) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        seed = .random(in: 0...UInt64.max)
        mask = size - 1
        slots = [Slot](repeating: Slot(), count: size)
    }

    /// Inserts `route`, unless the form has a route already: then that route is returned and the table stays as it is.
    mutating func insert(_ uri: RedirectURI, route: Int) -> Int? {
        let key = Self.key(of: uri)
        let (name, path) = (key.name.utf8, key.path.utf8)
        hasPatterns = hasPatterns || uri.isPattern
        let hash = hash(key.discriminator, name.span, path.span)
        let position = position(hash, key.discriminator, name.span, path.span)
        if slots[position].route != 0 { return Int(slots[position].route) - 1 }
        slots[position] = Slot(
            hash: hash, start: UInt32(text.count), nameLength: UInt16(name.count), pathLength: UInt16(path.count),
            discriminator: key.discriminator, route: UInt32(route + 1))
        text += name
        text += path
        return nil
    }

    func route(_ form: RedirectURI.Form) -> Int? {
        let key = Self.key(of: form)
        return route(key.discriminator, key.name.utf8.span, key.path.utf8.span)
    }

    /// The route of the pattern that covers a redirect URI, whether or not there is an exact one too.
    func pattern(covering form: RedirectURI.Form) -> Int? {
        let key = Self.key(of: form)
        return pattern(key.discriminator, key.name.utf8.span, key.path.utf8.span)
    }

    func route(https host: Span<UInt8>, port: Int, path: Span<UInt8>) -> Int? {
        route(Self.discriminator(port: port), host, path)
    }

    func route(loopback host: Span<UInt8>, path: Span<UInt8>) -> Int? {
        route(Self.loopback, host, path)
    }

    /// The route of an address: its own, else that of a pattern which covers it.
    private func route(_ discriminator: UInt32, _ name: Span<UInt8>, _ path: Span<UInt8>) -> Int? {
        exact(discriminator, name, path) ?? (hasPatterns ? pattern(discriminator, name, path) : nil)
    }

    private func exact(_ discriminator: UInt32, _ name: Span<UInt8>, _ path: Span<UInt8>) -> Int? {
        let found = slots[position(hash(discriminator, name, path), discriminator, name, path)].route
        return found == 0 ? nil : Int(found) - 1
    }

    private func pattern(_ discriminator: UInt32, _ name: Span<UInt8>, _ path: Span<UInt8>) -> Int? {
        guard discriminator != Self.customScheme else { return nil }
        var end = path.count
        while end > 0, RedirectURI.isSegmentByte(path[end - 1]) { end -= 1 }
        guard end > 0, path[end - 1] == UInt8(ascii: "/"), (1...64).contains(path.count - end) else { return nil }
        return exact(discriminator | Self.pattern, name, path.extracting(0..<end))
    }

    /// The position of the key, or of its free slot. There is always a free one, because the table is at most half
    /// full.
    private func position(_ hash: UInt32, _ discriminator: UInt32, _ name: Span<UInt8>, _ path: Span<UInt8>) -> Int {
        var position = Int(hash) & mask
        while slots[position].route != 0 {
            let slot = slots[position]
            if slot.hash == hash, slot.discriminator == discriminator, matches(slot, name, path) { break }
            position = (position + 1) & mask
        }
        return position
    }

    private func matches(_ slot: Slot, _ name: Span<UInt8>, _ path: Span<UInt8>) -> Bool {
        guard slot.nameLength == name.count, slot.pathLength == path.count else { return false }
        var position = Int(slot.start)
        for index in 0..<name.count {
            guard text[position] == Self.folded(name[index]) else { return false }
            position += 1
        }
        for index in 0..<path.count {
            guard text[position] == path[index] else { return false }
            position += 1
        }
        return true
    }

    /// FNV-1a over the discriminator, the folded name, a byte that neither text contains, and the path; then mixed: the
    /// table takes the low bits, where FNV mixes worst.
    private func hash(_ discriminator: UInt32, _ name: Span<UInt8>, _ path: Span<UInt8>) -> UInt32 {
        var hash = seed ^ UInt64(discriminator)
        for index in 0..<name.count { hash = (hash ^ UInt64(Self.folded(name[index]))) &* 0x100_0000_01B3 }
        hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        for index in 0..<path.count { hash = (hash ^ UInt64(path[index])) &* 0x100_0000_01B3 }
        return UInt32(truncatingIfNeeded: (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15 >> 32)
    }

    /// Hosts and schemes have no case (RFC 3986 section 6.2.2.1).
    private static func folded(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    private static func key(of uri: RedirectURI) -> (discriminator: UInt32, name: String, path: String) {
        let key = key(of: uri.form)
        guard uri.isPattern else { return key }
        return (key.discriminator | pattern, key.name, String(key.path.dropLast()))
    }

    private static func key(of form: RedirectURI.Form) -> (discriminator: UInt32, name: String, path: String) {
        switch form {
        case .https(let host, let port, let path): (discriminator(port: port), host, path)
        case .loopback(let host, let path): (loopback, host, path)
        case .customScheme(let scheme, let rest): (customScheme, scheme, rest)
        }
    }

    /// A number that is no port becomes 0, which no redirect URI has.
    private static func discriminator(port: Int) -> UInt32 {
        UInt32(UInt16(exactly: port) ?? 0)
    }
}
