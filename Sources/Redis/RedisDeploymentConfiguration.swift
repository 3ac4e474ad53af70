public import SwitchyardTLS

/// How a connection is made, and as whom.
public struct RedisOptions: Sendable {
    /// nil: plain TCP.
    public var tls: ClientContext?
    /// The ACL user; nil: the default one.
    public var user: String?
    /// nil: no password is shown.
    public var password: String?
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
    public enum Servers: Hashable, Sendable {
        case single(RedisAddress)
        /// The primary of the group `name`, which the Sentinels at `addresses` know. At least one.
        case sentinel(name: String, addresses: [RedisAddress])
        /// A cluster; `seeds` are nodes to ask first. At least one.
        case cluster(seeds: [RedisAddress])
    }

    public let servers: Servers
    /// Of the servers that keep the data. Sentinels are talked to over the same TLS, and are shown user and password
    /// only when they ask for them, because most installations protect the data only.
    ///
    /// Over TLS the names and addresses that Sentinels and nodes give for each other are those that the
    /// certificates have to be for.
    public let options: RedisOptions

    public init(_ servers: Servers, _ options: RedisOptions = RedisOptions()) {
        self.servers = servers
        self.options = options
    }

    public static func single(_ address: RedisAddress, _ options: RedisOptions = RedisOptions()) -> Self {
        Self(.single(address), options)
    }

    public static func sentinel(
        name: String, addresses: [RedisAddress], _ options: RedisOptions = RedisOptions()
    ) -> Self {
        Self(.sentinel(name: name, addresses: addresses), options)
    }

    public static func cluster(_ seeds: [RedisAddress], _ options: RedisOptions = RedisOptions()) -> Self {
        Self(.cluster(seeds: seeds), options)
    }
}
