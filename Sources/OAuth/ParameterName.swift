internal import SwitchyardText

/// The name of a request parameter, as lenient issuers read it.
///
/// Some issuers ignore case. PHP removes leading blanks, reads `.` and a blank as `_`, and cuts at NUL and `[`. Rack 1
/// and older versions of Rack 2 read `[name]`, `]name` and `name]` as `name`, as the parser of Express reads the first.
public struct ParameterName: Sendable {
    /// The name as PHP reads it, in lower case.
    public let folded: String
    /// All readings by which a lenient issuer could know the parameter.
    public let readings: Set<String>

    public init(_ name: some StringProtocol) {
        // Upper case first: some letters beyond ASCII have an upper case of A to Z.
        let scalars = Array(name.uppercased().asciiLowercased.unicodeScalars)
        // By scalars, since a mark behind a bracket would hide it in a Character.
        let text = scalars[...].drop { Self.isBlank($0) || $0 == "\0" }.prefix { $0 != "\0" }
        // PHP reads the first bracket as the beginning of a list, or as `_` if it is never closed.
        let folded = Self.fold(text.contains("]") ? text.prefix { $0 != "[" } : text)
        self.folded = folded
        let parts = text.split { $0 == "[" || $0 == "]" }
        readings = Set(parts.map(Self.fold)).union([folded])
    }

    private static func fold(_ text: ArraySlice<Unicode.Scalar>) -> String {
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        var folded = ""
        for scalar in text {
            folded.unicodeScalars.append(scalar == "." || scalar == "[" || isBlank(scalar) ? "_" : scalar)
        }
        return folded
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
}
