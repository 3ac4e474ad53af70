/// The limits of a connection's cost (rules: limits everywhere). Times are upper bounds, held to within a quarter of a
/// second.
public struct HTTPLimits: Hashable, Sendable {
    /// Bytes of the request line without its line break; more is 414.
    public var requestLineBytes = 16 * 1024
    /// Bytes of the header fields, with their line breaks and the empty line behind them; more is 431.
    public var headerBytes = 16 * 1024
    /// Header fields; more is 431.
    public var headerFields = 100
    /// Bytes of the content; more is 413.
    public var bodyBytes = 64 * 1024

    /// From the beginning of a connection to the end of its TLS handshake.
    public var handshakeTimeout = Duration.seconds(10)
    /// From then on to the first byte of the first request.
    public var firstByteTimeout = Duration.seconds(10)
    /// For a whole head, from its first byte on.
    public var headerTimeout = Duration.seconds(20)
    /// For a whole content.
    public var bodyTimeout = Duration.seconds(30)
    /// The time for a peer that does not read its answer.
    public var writeTimeout = Duration.seconds(30)
    /// Between two requests of one connection.
    public var idleTimeout = Duration.seconds(75)

    public init() {}
}
