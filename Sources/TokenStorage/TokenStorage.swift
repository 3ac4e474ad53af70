/// A place for one document of bytes, shared by all processes of this user that name the same cache.
///
/// What the bytes mean is the caller's business. All calls block, up to a time-out of seconds when another process or
/// the desktop keyring is slow: call them off the event loops. Safe from any thread.
public protocol TokenStorage: Sendable {
    /// Where it is, for logs: "the desktop keyring", "the file …", "memory".
    var summary: String { get }

    /// The document; nil when there is none.
    ///
    /// Errors: ``TokenStorageError/Kind/corrupt`` when something is there that cannot be opened, see ``setAside()``.
    func read() throws(TokenStorageError) -> [UInt8]?

    /// Reads the document, changes it, and writes it, while no other process or thread can: no update is lost.
    ///
    /// A process that is killed in the middle leaves the document as it was before or as it is after.
    /// - Parameter change: gets the document, nil when there is none; what it leaves is written, nil
    ///   removes it, and the same bytes write nothing. It must be short, and must not use this storage:
    ///   that waits for itself, and fails.
    /// - Returns: what `change` returned, once the document is safe.
    func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value

    /// Moves a document that turned out unreadable out of the way, and the next read finds none. Where the storage
    /// outlives the process it is kept, beside those that were set aside before, for a person to look at.
    ///
    /// It sets aside what this storage's last `read` or `update` found. If another process has put a new document there
    /// since, that one stays. Does nothing where there is none.
    func setAside() throws(TokenStorageError)
}

/// How much any storage takes.
enum TokenStorageLimit {
    /// The longest document, in bytes.
    static let document = 4 << 20

    /// Throws `tooLarge` for a document longer than that.
    static func check(_ document: [UInt8], at place: String) throws(TokenStorageError) {
        guard document.count > self.document else { return }
        throw TokenStorageError(
            .tooLarge, "\(place) takes documents of at most 4 MiB, and this one has \(document.count) bytes",
            remedy: "remove accounts that are no longer used")
    }
}
