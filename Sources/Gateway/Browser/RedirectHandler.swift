internal import SwitchyardHTTP
internal import SwitchyardRouting

/// Pure dispatch: the browser is sent on to the app's own address with the query as it came. No request is held, so
/// nothing else of the callback is looked at.
enum RedirectHandler {
    /// - Parameter target: the app's registered address, in bytes.
    static func answer(
        _ request: Request, to target: [UInt8], of app: AppRegistration, from caller: Caller, _ events: GatewayEvents
    ) -> Response {
        switch request.method {
        case .get:
            events.tellDispatch(to: app)
            return .redirect(.found, to: location(target, query: request.queryBytes))
        case .head:
            events.tell(.prefetch, app: app.id, from: caller)
            return .noContent()
        default:
            events.tell(.wrongMethod, app: app.id, from: caller)
            return .notAllowed("GET, HEAD", to: request)
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
