public import SwitchyardTLS
internal import Synchronization

/// The credentials of connections. Clients that share it use the latest ones for their next connection. Safe from any
/// thread.
public final class RedisAccess: Sendable {
    public struct Credentials: Sendable {
        /// nil: plain TCP.
        public let tls: ClientContext?
        /// The ACL user; nil: the default one.
        public let user: String?
        /// nil: no password is shown.
        public let password: String?

        public init(tls: ClientContext? = nil, user: String? = nil, password: String? = nil) {
            self.tls = tls
            self.user = user
            self.password = password
        }
    }

    private let credentials: Mutex<Credentials>

    public init(_ credentials: Credentials = Credentials()) {
        self.credentials = Mutex(credentials)
    }

    var current: Credentials { credentials.withLock(\.self) }

    /// Replaces the credentials for new connections. Open connections continue, as Redis lets them.
    public func replace(with credentials: Credentials) { self.credentials.withLock { $0 = credentials } }
}

/// The transport and the credentials of a connection.
public struct RedisOptions: Sendable {
    public var access = RedisAccess()
    /// Whether user and password are shown.
    var isAuthenticating = true
    /// Not for clusters, which have only one.
    public var database = 0
    /// How the connection calls itself (`CLIENT LIST`).
    public var name = "switchyard"
    /// For connecting, TLS and the first commands together.
    public var connectTimeout = Duration.seconds(5)

    public init() {}
}

/// Which servers keep the data, and how they are talked to.
public struct RedisDeploymentConfiguration: Sendable {
    /// How the servers are found.
    public enum Servers: Hashable, Sendable {
        case single(RedisAddress)
        /// The primary of the group `name`, which the Sentinels at `addresses` know. At least one.
        case sentinel(name: String, addresses: [RedisAddress])
        /// A cluster; `seeds` are nodes to ask first. At least one.
        case cluster(seeds: [RedisAddress])
    }

    public let servers: Servers
    /// The options for the servers that keep the data. Sentinels are asked over the same TLS, and get user and password
    /// only when they ask for them, because most installations protect the data only.
    ///
    /// Over TLS, certificates must be for the names and addresses that Sentinels and nodes give for each other.
    public let options: RedisOptions

    public init(_ servers: Servers, _ options: RedisOptions = RedisOptions()) {
        self.servers = servers
        self.options = options
    }

    /// One server that keeps everything.
    public static func single(_ address: RedisAddress, _ options: RedisOptions = RedisOptions()) -> Self {
        Self(.single(address), options)
    }

    /// The primary of a group, as its Sentinels name it, and after a fail-over the next one.
    public static func sentinel(
        name: String, addresses: [RedisAddress], _ options: RedisOptions = RedisOptions()
    ) -> Self {
        Self(.sentinel(name: name, addresses: addresses), options)
    }

    /// A Redis Cluster, of which some nodes are known.
    public static func cluster(_ seeds: [RedisAddress], _ options: RedisOptions = RedisOptions()) -> Self {
        Self(.cluster(seeds: seeds), options)
    }
}
