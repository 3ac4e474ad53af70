/// Why tokens could not be read or kept. Nothing in it is secret.
public struct TokenStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// The place does not exist here: no session bus, no Secret Service, no kernel keyring, no home directory.
        case unavailable
        /// The keyring is locked, or another process held the document for the whole time-out.
        case locked
        /// What is there cannot be opened: damaged, foreign, or sealed with a key that is gone. ``TokenStorage/setAside()``
        /// makes room for a new one.
        case corrupt
        /// The system failed to read or write, such as a full disk.
        case io
        /// This user may not use the place, or others may: a wrong owner, a mode that is too open, a symbolic link.
        case denied
        /// The document is longer than 4 MiB.
        case tooLarge
    }

    public let kind: Kind
    /// What happened, with the thing and the place, for a developer.
    public let message: String
    /// What to do about it.
    public let remedy: String

    public init(_ kind: Kind, _ message: String, remedy: String) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
    }

    public var description: String { "\(message); \(remedy)" }
}
