/// The reason why tokens could not be read or kept. Free of secrets.
public struct TokenStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Later versions may know more.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The place does not exist here: no session bus, no Secret Service, no kernel keyring, no home directory.
        public static var unavailable: Self { Self(rawValue: "unavailable") }
        /// The keyring is locked, or another process held the document for the whole time-out.
        public static var locked: Self { Self(rawValue: "locked") }
        /// The document cannot be opened: damaged, foreign, or sealed with a key that is gone.
        /// ``TokenStorage/setAside()`` makes room for a new one.
        public static var corrupt: Self { Self(rawValue: "corrupt") }
        /// The system failed to read or write, such as a full disk.
        public static var io: Self { Self(rawValue: "io") }
        /// This user may not use the place, or others may: a wrong owner, a mode that is too open, a symbolic link.
        public static var denied: Self { Self(rawValue: "denied") }
        /// The document is longer than 4 MiB.
        public static var tooLarge: Self { Self(rawValue: "tooLarge") }

        /// For logs.
        public let rawValue: String

        public var description: String { rawValue }
    }

    public let kind: Kind
    /// The failure, with the thing and the place, for a developer.
    public let message: String
    /// The way to mend it.
    public let remedy: String
    /// Whether the place is there, and has only not answered in time.
    let isTimeOut: Bool

    public init(_ kind: Kind, _ message: String, remedy: String) {
        self.init(kind, message, remedy: remedy, isTimeOut: false)
    }

    init(_ kind: Kind, _ message: String, remedy: String, isTimeOut: Bool) {
        self.kind = kind
        self.message = message
        self.remedy = remedy
        self.isTimeOut = isTimeOut
    }

    public var description: String { "\(message); \(remedy)" }
}
