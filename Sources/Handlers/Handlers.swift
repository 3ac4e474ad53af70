internal import SwitchyardDBus
public import SwitchyardHTTPClient
public import SwitchyardReactor
public import SwitchyardRouting

/// The ways to hand a callback over, on one loop. A kind of them is a case of ``DeliveryHandler``; begin there.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only, which its tasks run on.
public final class Handlers: @unchecked Sendable {
    let loop: EventLoop
    let tickets: Tickets
    /// How programs reach this gateway, as `SWITCHYARD_GATEWAY` tells them; nil where it has no socket for them.
    let gateway: String?
    /// Whether the gateway stops, so that no new work may begin.
    let isStopping: @Sendable () -> Bool
    /// How requests to webhooks leave this machine. Replaced by a reload, on the loop's thread.
    public var route: OutgoingRoute
    lazy var client = HTTPClient(loop: loop)
    var bus: BusConnection?

    /// How long an app may take to say that it has a callback.
    static let answerLimit = Duration.seconds(10)
    /// The time for a program that must start first.
    static let startLimit = Duration.seconds(30)

    public init(
        loop: EventLoop, tickets: Tickets, gateway: String?, route: OutgoingRoute = .direct,
        isStopping: @escaping @Sendable () -> Bool
    ) {
        self.loop = loop
        self.tickets = tickets
        self.gateway = gateway
        self.route = route
        self.isStopping = isStopping
    }

    /// Hands a callback over by one handler. Only from a task of the loop.
    public func deliver(_ delivery: Delivery, by handler: DeliveryHandler) async -> DeliveryResult {
        switch handler {
        case .socket(let path): await deliver(delivery, toSocket: path)
        case .dbus(let name): await deliver(delivery, toBusName: name)
        case .exec(let arguments): await deliver(delivery, toProgram: arguments)
        case .webhook(let webhook): await deliver(delivery, to: webhook)
        }
    }
}
