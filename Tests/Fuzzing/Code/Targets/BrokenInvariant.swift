/// Something that always holds did not, for some input.
struct BrokenInvariant: Error, CustomStringConvertible {
    let description: String
}

/// - Parameter rule: what always holds, in words.
func require(_ holds: Bool, _ rule: String) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(description: "broken: \(rule)") }
}

/// Whether a byte is a control character, a space or outside ASCII: what no URI, and no text made of one, may hold.
func isInvisible(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x7F }
