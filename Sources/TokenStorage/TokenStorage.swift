/// A place for one document of bytes, shared by all processes of this user that name the same cache.
///
/// The caller decides the meaning of the bytes. All calls block, up to a time-out of seconds when another process or
/// the desktop keyring is slow: call them off the event loops. Safe from any thread.
public protocol TokenStorage: Sendable {
    /// The place for logs: "the desktop keyring", "the file …", "memory".
    var summary: String { get }

    /// The document; nil without one.
    ///
    /// Errors: ``TokenStorageError/Kind/corrupt`` for a document that cannot be opened, see ``setAside()``.
    func read() throws(TokenStorageError) -> [UInt8]?

    /// Reads the document, changes it, and writes it, while other processes and threads wait: no update is lost.
    ///
    /// A process that is killed in the middle leaves the document as it was before or as it is after.
    /// - Parameter change: gets the document, nil without one. Its result is written; nil removes the document, and
    ///   equal bytes cause no write. It must be short, and must not use this storage: that would wait for itself, and
    ///   fails.
    /// - Returns: the return value of `change`, once the document is safe.
    func update<Value>(_ change: (inout [UInt8]?) -> Value) throws(TokenStorageError) -> Value

    /// Moves an unreadable document out of the way, so the next read finds the storage empty. A storage that outlives
    /// the process keeps it, beside earlier ones, for a person to look at.
    ///
    /// Only the document that this storage's last `read` or `update` found is set aside. If another process has put a
    /// new document there since, that one stays.
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
