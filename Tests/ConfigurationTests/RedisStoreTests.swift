import SwitchyardConfiguration
import SwitchyardCrypto
import SwitchyardRedis
import Testing

@Suite("store: redis") struct RedisStoreTests {
    private static let keys = "encryption_keys: [{ id: k1, key: \(String(repeating: "a0", count: 32)) }]"

    private func store(_ text: String, in directory: TemporaryDirectory? = nil) throws -> RedisStoreConfiguration {
        let configuration = try Sample(more: "store: \(text)\n\(Self.keys)").configuration(in: directory)
        guard case .redis(let redis) = configuration.store else {
            throw Unexpected()
        }
        return redis
    }

    private struct Unexpected: Error {}

    @Test(
        "a URL names user, host, port and database",
        arguments: [
            ("redis://cache", nil, "cache", 6379, 0, false), ("redis://cache:1/", nil, "cache", 1, 0, false),
            ("rediss://app@cache.contoso.com:6380/3", "app", "cache.contoso.com", 6380, 3, true),
            ("redis://[::1]:7000/2", nil, "::1", 7000, 2, false),
            ("redis://@10.0.0.1/1", nil, "10.0.0.1", 6379, 1, false),
        ] as [(text: String, user: String?, host: String, port: UInt16, database: Int, isTLS: Bool)])
    func url(text: String, user: String?, host: String, port: UInt16, database: Int, isTLS: Bool) throws {
        for form in ["'\(text)'", "{ redis: { url: '\(text)' } }"] {
            let redis = try store(form)
            #expect(redis.servers == .single(RedisAddress(host: host, port: port)))
            #expect(redis.user == user && redis.database == database && redis.isTLS == isTLS)
            #expect(redis.prefix == "switchyard:" && redis.password == nil && redis.identity == nil)
        }
    }

    @Test("the long form names Sentinels, or nodes of a cluster, and how to talk to them")
    func long() throws {
        let sentinel = try store(
            "{ redis: { sentinel: { name: main, addresses: ['s1:26379', s2] }, user: app, password: hunter2 } }")
        let addresses = [RedisAddress(host: "s1", port: 26379), RedisAddress(host: "s2", port: 26379)]
        #expect(sentinel.servers == .sentinel(name: "main", addresses: addresses))
        #expect(sentinel.user == "app" && sentinel.password == Secret("hunter2") && !sentinel.isTLS)
        let cluster = try store("{ redis: { cluster: ['n1:7000', n2], tls: true, prefix: 'sy/' } }")
        #expect(
            cluster.servers == .cluster(seeds: [RedisAddress(host: "n1", port: 7000), .init(host: "n2", port: 6379)]))
        #expect(cluster.isTLS && cluster.prefix == "sy/")
    }

    @Test("passwords and certificates come from files")
    func files() throws {
        let directory = try TemporaryDirectory()
        for name in ["password", "ca.pem", "c.pem", "c.key"] { try directory.write(name, "hunter2\n") }
        let redis = try store(
            "{ redis: { url: 'rediss://h', password_file: password, ca: ca.pem, certificate: c.pem, key: c.key } }",
            in: directory)
        #expect(redis.password == Secret("hunter2"))
        #expect(redis.onlyAuthorities == directory.path + "/ca.pem")
        #expect(redis.identity?.certificateChain == directory.path + "/c.pem")
        #expect(redis.identity?.privateKey == directory.path + "/c.key")
    }

    @Test(
        "what cannot be meant is an error, the only one, and shows no password",
        arguments: [
            ("'redis://:hunter2@host'", "password_file"), ("'redis://a:hunter2@host/1'", "password_file"),
            ("'redis://'", "redis://[USER@]HOST:PORT/DB"), ("'redis:host'", "redis://[USER@]HOST:PORT/DB"),
            ("'redis://host:0'", "redis://[USER@]HOST:PORT/DB"), ("'redis://host:70000'", "HOST:PORT"),
            ("'redis://host/x'", "no number"), ("'redis://ho st'", "HOST:PORT"),
            ("{ redis: { prefix: x } }", "url, sentinel and cluster"), ("{ redis: {} }", "url, sentinel and cluster"),
            ("{ redis: { url: 'redis://h', cluster: [h] } }", "url, sentinel and cluster"),
            ("{ redis: { url: 'redis://a@h', user: b } }", "names a user"),
            ("{ redis: { url: 'redis://h', tls: true } }", "rediss://"),
            ("{ redis: { url: 'redis://h', ca: ca.pem } }", "without TLS"),
            ("{ redis: { cluster: [] } }", "empty list"), ("{ redis: { cluster: ['h:x'] } }", "HOST:PORT"),
            ("{ redis: { cluster: [h], tls: maybe } }", "true or false"),
            ("{ redis: { sentinel: { addresses: [h] } } }", "\"name\" is missing"),
            ("{ redis: { sentinel: { name: a } } }", "\"addresses\" is missing"),
            ("{ redis: { url: 'redis://h', prefix: 'a{b}' } }", "without braces"),
            ("{ redis: { url: 'redis://h', password: hunter2, password_file: x } }", "keep one"),
            ("{ redis: { urll: 'redis://h' } }", "did you mean"), ("{ rediss: { url: 'redis://h' } }", "did you mean"),
        ])
    func wrong(text: String, words: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("ca.pem", "x")
        let outcome = Sample(more: "store: \(text)\n\(Self.keys)").load(in: directory)
        #expect(outcome.configuration == nil)
        #expect(outcome.errors.contains { $0.contains(words) }, "\(outcome.errors)")
        #expect(outcome.errors.allSatisfy { !$0.contains("hunter2") })
    }

    @Test("without keys that all gateways have, a store in Redis is refused, with the remedy")
    func keyless() {
        let outcome = Sample(more: "store: 'redis://host'").load()
        #expect(outcome.hasOnlyError(containing: "encryption_keys"), "\(outcome.errors)")
        #expect(outcome.errors.allSatisfy { $0.contains("switchyard keys new") })
    }
}
