public import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
public import SwitchyardReactor
internal import SwitchyardRedis
internal import SwitchyardRedisStore
internal import SwitchyardTLS

/// Tries the store that gateways share, without being one: for `switchyard doctor`.
public struct StoreTrial: Sendable {
    /// Why a gateway could not keep requests there; nil when it could.
    public let failure: String?
    /// The settings of the servers that may lose requests.
    public let warnings: [String]

    /// Connects, reads, and writes a key of its own that ends by itself. Only from a task of `loop`.
    public static func redis(_ configuration: RedisStoreConfiguration, on loop: EventLoop) async -> StoreTrial {
        let deployment: RedisDeploymentConfiguration
        do throws(TLSError) {
            deployment = try configuration.deployment
        } catch {
            return StoreTrial(failure: "its TLS: \(error)", warnings: [])
        }
        let store = RedisStore(
            deployment, prefix: configuration.prefix, keys: .ephemeral(), maximumRemembered: 1, on: [loop])
        let writer = RedisDeployment(deployment, on: loop)
        defer { writer.close() }
        let failure = await failure(store, writer, configuration.prefix)
        return StoreTrial(
            failure: failure, warnings: failure == nil ? await RedisStore.settingsWarnings(of: writer) : [])
    }

    private static func failure(_ store: RedisStore, _ writer: RedisDeployment, _ prefix: String) async -> String? {
        do throws(StoreError) {
            _ = try await store.usage()
        } catch {
            return error.description
        }
        let key = Array("\(prefix)trial-of-doctor".utf8)
        let command = RedisCommand([Array("SET".utf8), key, Array("1".utf8), Array("PX".utf8), Array("1000".utf8)])
        do throws(RedisError) {
            _ = try await writer.send(command, key: key, until: .now() + .seconds(5))
            return nil
        } catch {
            return "it cannot be written to: \(error)"
        }
    }
}
