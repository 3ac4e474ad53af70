internal import HTTP
internal import JSON

/// The issuer's test interface, for what belongs to no single sign-in. Its form has
/// - `keys`: a ``SigningKeys/Change``;
/// - `outage`: the parts that are out of reach from now on, comma-separated, or `none`.
struct ControlEndpoint: Sendable {
    let keys: SigningKeys
    let outage: Outage

    func respond(to request: Request) -> Response {
        // A page in a browser on this machine could post a form to loopback as well.
        guard request.field("origin") == nil else { return .text(.forbidden, "This is not for pages.") }
        do {
            let parameters = try RequestParameters(request.body)
            // Both are read before anything is done.
            let change = try parameters["keys"].map { try Self.change($0) }
            let parts = try parameters["outage"].map { try Self.parts($0) }
            if let change { try keys.apply(change) }
            if let parts { outage.set(parts) }
            return .json(.ok, ["current_kid": .string(keys.current.keyID)])
        } catch {
            return .text(.badRequest, "\(error)")
        }
    }

    private struct UnknownValue: Error {}

    private static func change(_ name: String) throws(UnknownValue) -> SigningKeys.Change {
        guard let change = SigningKeys.Change(rawValue: name) else { throw UnknownValue() }
        return change
    }

    private static func parts(_ names: String) throws(UnknownValue) -> Set<Outage.Part> {
        if names == "none" { return [] }
        let names = names.split(separator: ",")
        let parts = names.compactMap { Outage.Part(rawValue: String($0)) }
        guard parts.count == names.count else { throw UnknownValue() }
        return Set(parts)
    }
}
