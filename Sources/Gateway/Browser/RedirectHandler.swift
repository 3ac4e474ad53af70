internal import SwitchyardHTTP

/// Pure dispatch: the browser is sent on to the app's own address with the query as it came. No request is held, so
/// nothing else of the callback is looked at.
enum RedirectHandler {
    /// - Parameter target: the app's registered address, in bytes.
    static func answer(_ request: Request, to target: [UInt8]) -> Response {
        switch request.method {
        case .get: .redirect(.found, to: location(target, query: request.queryBytes))
        case .head: .noContent()
        default: .notAllowed("GET, HEAD", to: request)
        }
    }

    /// The value of `Location`: the registered target, and behind it the query byte for byte. Nothing in the request
    /// chooses the target (rules: no open redirect).
    static func location(_ target: [UInt8], query: ArraySlice<UInt8>?) -> [UInt8] {
        guard let query else { return target }
        var location: [UInt8] = []
        location.reserveCapacity(target.count + 1 + query.count)
        location.append(contentsOf: target)
        // A registered target may have a query of its own.
        location.append(target.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?"))
        location.append(contentsOf: query)
        return location
    }
}
