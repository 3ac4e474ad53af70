internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardRedisStore
internal import SwitchyardTLS

/// The store that a configuration asks for.
extension Gateway {
    /// The configuration's store; the same store as an exclusive one, if only one gateway can have it at a time; and
    /// the credentials for Redis.
    static func stores(
        _ configuration: Configuration, _ policies: PolicySource, _ group: EventLoopGroup,
        _ events: EventReporter
    ) throws(GatewayError) -> (shared: any SharedStore, exclusive: ExclusiveStore?, access: RedisAccess?) {
        let maximum = configuration.limits.requests
        switch configuration.store {
        case .memory: return (MemoryStore(maximumRemembered: maximum), nil, nil)
        case .sqlite(let path):
            let exclusive = try ExclusiveStore(path: path, policies) { warning in
                events.report(.gateway(.storeWarning(warning)))
            }
            return (exclusive, exclusive, nil)
        case .redis(let redis):
            do throws(TLSError) {
                let deployment = try redis.deployment
                let shared = RedisStore(
                    deployment, prefix: redis.prefix, keys: policies.policy.keys, maximumRemembered: maximum,
                    on: group.loops,
                    warn: { warning in events.report(.gateway(.storeWarning(warning))) })
                return (shared, nil, deployment.options.access)
            } catch {
                throw GatewayError("the store's TLS: \(error)")
            }
        }
    }

    /// The current credentials for Redis; nil for other stores.
    static func credentials(
        for store: Configuration.Store
    ) throws(GatewayError) -> RedisAccess.Credentials? {
        guard case .redis(let redis) = store else { return nil }
        do throws(TLSError) {
            return try redis.credentials
        } catch {
            throw GatewayError("the store's TLS: \(error)")
        }
    }
}

extension RedisStoreConfiguration {
    /// The configuration for the client of Redis.
    var deployment: RedisDeploymentConfiguration {
        get throws(TLSError) {
            var options = RedisOptions()
            options.access = RedisAccess(try credentials)
            options.database = database
            return RedisDeploymentConfiguration(servers, options)
        }
    }

    /// The credentials as they are in their files now.
    var credentials: RedisAccess.Credentials {
        get throws(TLSError) {
            let tls = isTLS ? try ClientContext(onlyAuthorities: onlyAuthorities, identity: identity) : nil
            return RedisAccess.Credentials(tls: tls, user: user, password: password?.exposedText)
        }
    }
}
