/// Finds the key that suspends a session in the person's input, and removes it: ssh itself does not suspend a session
/// that shares its connection.
public struct SuspendKey: Sendable {
    public enum Kind: Equatable, Sendable {
        /// `^Z` behind ssh's escape character at the beginning of a line. Any other `^Z` is the far terminal's.
        case escaped(by: UInt8)
        /// `^Z` wherever it is: there is no terminal on the far side that could make anything of it.
        case alone
    }

    public enum Part: Equatable, Sendable {
        case typed([UInt8])
        case suspend
    }

    private let kind: Kind
    private var isAtLineStart = true
    private var holdsEscape = false

    private static let suspend: UInt8 = 0x1A
    /// The characters that ssh acts on behind its escape character; the line has not begun then.
    private static let commands = Array(".BCRVv&?#".utf8)

    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// - Parameter escapeCharacter: as `ssh -G` names it.
    /// - Returns: nil if ssh has no escape character.
    public init?(escapeCharacter: String) {
        let bytes = Array(escapeCharacter.utf8)
        switch bytes.count {
        case 1: self.init(.escaped(by: bytes[0]))
        // A control character, as vis(3) writes it.
        case 3 where escapeCharacter.hasPrefix("\\^"): self.init(.escaped(by: bytes[2] & 0x1F))
        default: return nil
        }
    }

    /// Holds an escape character back until its next character is clear, as ssh does.
    /// - Returns: the input for the session, in order, and the places to suspend.
    public mutating func take(_ piece: some Sequence<UInt8>) -> [Part] {
        var parts: [Part] = []
        var typed: [UInt8] = []
        for byte in piece {
            guard isSuspending(byte, &typed) else { continue }
            if !typed.isEmpty { parts.append(.typed(typed)) }
            typed = []
            parts.append(.suspend)
        }
        if !typed.isEmpty { parts.append(.typed(typed)) }
        return parts
    }

    private mutating func isSuspending(_ byte: UInt8, _ typed: inout [UInt8]) -> Bool {
        guard case .escaped(let escape) = kind else {
            if byte != Self.suspend { typed.append(byte) }
            return byte == Self.suspend
        }
        if holdsEscape {
            holdsEscape = false
            if byte == Self.suspend { return true }
            typed += [escape, byte]
            isAtLineStart = Self.commands.contains(byte) || Self.isLineEnd(byte)
        } else if isAtLineStart, byte == escape {
            holdsEscape = true
        } else {
            typed.append(byte)
            isAtLineStart = Self.isLineEnd(byte)
        }
        return false
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A }
}
