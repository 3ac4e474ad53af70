/// A request as the test server got it: only ones that came whole are counted.
struct ReceivedRequest: Sendable {
    let method: String
    let path: String
    let headers: [(name: String, value: String)]
    let body: String
    /// Which connection brought it, from 0 in the order in which they were accepted.
    let connection: Int

    func header(_ name: String) -> String? {
        headers.first { $0.name == name.lowercased() }?.value
    }

    /// The fields of a form, still encoded.
    var fields: [String: String] {
        Dictionary(
            body.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            }
        ) { first, _ in first }
    }
}
