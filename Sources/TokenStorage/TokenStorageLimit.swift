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
