public import SwitchyardOAuth

/// One way in which a callback reaches its app. The raw names of the cases are those of the configuration.
public enum Handler: Hashable, Sendable {
    /// A JSON line to the Unix socket that the app listens on; an absolute path.
    case socket(path: String)
    /// A call of `org.freedesktop.Application.Open` on the session bus, which starts the app if it does not run.
    case dbus(BusName)
    /// A program with its arguments; ``ticketPlaceholder`` in one of them is replaced by the ticket by which it gets
    /// the callback.
    case exec([String])
    /// A signed request to the app's server.
    case webhook(Webhook)
    /// A pending token request waits for the callback.
    case pending
    /// The browser is sent on to `target` with the query as it came; no request is held.
    case redirect(target: RedirectURI)
    /// A request waits for the callback and names the port to which the browser is sent on, on its own machine. The app
    /// that listens there redeems the code. The caller that began it gets no part of the response.
    case loopback

    /// The placeholder of the ticket in the arguments of a program.
    public static let ticketPlaceholder = "{ticket}"

    /// The name under which events and metrics report that the app has a callback; nil for a handler after which the
    /// gateway itself knows the outcome, or no outcome.
    public var deliveryName: DeliveryName? {
        switch self {
        case .socket: .socket
        case .dbus: .dbus
        case .exec: .exec
        case .webhook: .webhook
        case .loopback: .loopback
        case .pending, .redirect: nil
        }
    }

    /// Whether it takes every callback, so no handler can stand behind it. The others may refuse a callback, or fail.
    public var takesEveryCallback: Bool {
        switch self {
        case .pending, .redirect, .loopback: true
        case .socket, .dbus, .exec, .webhook: false
        }
    }
}

/// The handlers of an app, in the order in which they are tried.
public struct HandlerList: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The handlers that hand a callback over to an app that keeps its own state. Each may refuse it, or fail.
    public let deliveries: [Handler]
    /// The handler behind them, which takes every callback; nil if a callback that they refuse is given up.
    public let last: Handler?

    /// - Parameter last: a handler that takes every callback.
    public init(_ deliveries: [Handler], last: Handler?) {
        self.deliveries = deliveries
        self.last = last
    }

    /// A list with at most one handler that takes every callback, at its end.
    public init(arrayLiteral handlers: Handler...) {
        self.init(
            handlers.filter { !$0.takesEveryCallback }, last: handlers.last { $0.takesEveryCallback })
    }

    /// Whether requests can be begun for the app.
    public var holdsRequests: Bool { last == .pending || last == .loopback }

    /// Whether the response to a request of the app goes to the browser's own machine only.
    public var sendsToLoopback: Bool { last == .loopback }

    /// Whether this gateway completes requests of the app, which its release policy is for.
    public var completesRequests: Bool { last == .pending }

    /// The address to which browsers are sent on, at once or at the end of the list; nil for an app without one.
    public var target: RedirectURI? { if case .redirect(let target) = last { target } else { nil } }
}

/// The way in which an app got an unrequested callback, as the configuration and metrics name it.
public enum DeliveryName: String, CaseIterable, Sendable {
    case socket, dbus, exec, webhook
    /// The browser itself has taken it to the app on its own machine: ``Handler/loopback``.
    case loopback
}
