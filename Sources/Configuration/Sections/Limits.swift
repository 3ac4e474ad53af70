/// What the gateway spends on anybody. Addresses count as `IPAddress.limitKey`: IPv6 by /64. No address is exempt.
public struct Limits: Hashable, Sendable {
    /// How long a request waits for its callback.
    public var requestLifetime: Duration = .seconds(600)
    /// How long a result can be read again after it was read first.
    public var resultLifetime: Duration = .seconds(60)
    /// How long a held code waits for its release.
    public var releaseLifetime: Duration = .seconds(300)

    /// Pending token requests altogether, per app, and per address that began them.
    public var requests = 100_000
    public var requestsPerApp = 10_000
    public var requestsPerAddress = 500
    /// Apps of one address that wait for a result at the same time.
    public var waitingPerAddress = 500

    /// Open connections altogether, and per address.
    public var connections = 10_000
    public var connectionsPerAddress = 1000

    /// Requests begun, callbacks, and collecting calls: each a second and address.
    public var beginRate: Double = 200
    public var callbackRate: Double = 500
    public var collectRate: Double = 500

    /// Bytes of a request's header, and of its content.
    public var headerBytes = 16 << 10
    public var bodyBytes = 64 << 10

    /// Bytes of what is kept, until it is gone: requests, held responses, results and failures that nobody collects;
    /// altogether, and for each address that began them.
    public var keptBytes = 512 << 20
    public var keptBytesPerAddress = 32 << 20

    /// How long an issuer may take for a whole answer, and how many bytes its content may have.
    public var issuerTimeout: Duration = .seconds(10)
    public var issuerBytes = 1 << 20

    public init() {}
}
