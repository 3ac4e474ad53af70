public import SwitchyardCrypto
public import SwitchyardRedis
internal import SwitchyardTLS

/// Requests in Redis or Valkey, as the configuration names it.
public struct RedisStoreConfiguration: Hashable, Sendable {
    public let servers: RedisDeploymentConfiguration.Servers
    /// The number of the database on a single server.
    public let database: Int
    /// nil: the default one.
    public let user: String?
    public let password: Secret?
    public let isTLS: Bool
    /// Path of a PEM file with the only certificates that are believed; nil: those of the system.
    public let onlyAuthorities: String?
    /// The certificate for servers that ask for one.
    public let identity: CertificateFiles?
    /// The prefix of every key and channel.
    public let prefix: String

    /// The identity of the store. Any Sentinel and any node knows all others, so the asked addresses are left out.
    var place: String {
        switch servers {
        case .single(let address): "redis \(address) \(database) \(prefix)"
        case .sentinel(let name, _): "redis sentinel \(name) \(database) \(prefix)"
        case .cluster: "redis cluster \(prefix)"
        }
    }
}

/// Reads the forms of `store:` that name Redis.
struct RedisStoreSection {
    private enum Key: String, ConfigurationKey {
        case url, user, password
        case passwordFile = "password_file"
        case ca, certificate, key, prefix, sentinel, cluster, tls
    }

    private enum SentinelKey: String, ConfigurationKey {
        case name, addresses
    }

    /// The parts of `redis://[USER@]HOST:PORT/DB`.
    private struct Location {
        let isTLS: Bool
        let user: String?
        let address: RedisAddress
        let database: Int
    }

    private static let form = "write redis://[USER@]HOST:PORT/DB, or rediss:// for TLS"
    private static let standardPort: UInt16 = 6379
    private static let standardSentinelPort: UInt16 = 26379
    private static let standardPrefix = "switchyard:"

    let context: DecodingContext

    /// The short form. nil when it is wrong, which is reported.
    func decode(url text: String, _ node: YAMLNode) -> Configuration.Store? {
        location(text, node).map { place in
            .redis(
                RedisStoreConfiguration(
                    servers: .single(place.address), database: place.database, user: place.user, password: nil,
                    isTLS: place.isTLS, onlyAuthorities: nil, identity: nil, prefix: Self.standardPrefix))
        }
    }

    /// Decodes the long form, the mapping below `redis:`. nil if it is wrong, which is reported.
    func decode(_ node: YAMLNode) -> Configuration.Store? {
        guard let reader = MappingReader<Key>(node, in: context) else { return nil }
        let given = [Key.url, .sentinel, .cluster].filter { reader[$0] != nil }
        guard given.count == 1 else {
            context.error(
                at: node.mark, given.isEmpty ? "no server is named" : "servers are named in several ways",
                "give one of url, sentinel and cluster")
            return nil
        }
        let place = reader[.url].flatMap { node in context.text(node, Self.form).flatMap { location($0, node) } }
        let sentinel = reader[.sentinel].flatMap { self.sentinel($0) }
        let cluster = reader[.cluster].flatMap { addresses($0, Self.standardPort) }
            .map { RedisDeploymentConfiguration.Servers.cluster(seeds: $0) }
        let isTLS = isTLS(reader, place)
        let user = user(reader, place)
        let password = reader.secret(.password, file: .passwordFile)
        let authorities = reader[.ca].flatMap { onlyAuthorities($0) }
        let identity = reader.clientIdentity(.certificate, .key)
        let prefix = reader[.prefix].map { self.prefix($0) } ?? Self.standardPrefix
        if isTLS == false { reader.refuse([.ca, .certificate, .key], because: "the servers are reached without TLS") }
        guard let servers = place.map({ .single($0.address) }) ?? sentinel ?? cluster, let isTLS, let prefix,
            !password.isGiven || password.secret != nil
        else { return nil }
        return .redis(
            RedisStoreConfiguration(
                servers: servers, database: place?.database ?? 0, user: user, password: password.secret, isTLS: isTLS,
                onlyAuthorities: authorities, identity: identity, prefix: prefix))
    }

    // MARK: Servers

    /// - Parameter text: never shown whole, since it may hold a password.
    private func location(_ text: String, _ node: YAMLNode) -> Location? {
        func refuse(_ what: String, _ remedy: String = Self.form) -> Location? {
            context.error(at: node.mark, what, remedy)
            return nil
        }
        let isTLS = text.hasPrefix("rediss://")
        guard isTLS || text.hasPrefix("redis://") else {
            return refuse("an address of Redis that begins with neither redis:// nor rediss://")
        }
        var rest = text.dropFirst(isTLS ? 9 : 8)
        var user: String?
        if let at = rest.lastIndex(of: "@") {
            guard !rest[..<at].contains(":") else {
                return refuse(
                    "a password in an address", "give it as password_file, or password, in the long form of store")
            }
            user = rest[..<at].isEmpty ? nil : String(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let database = parts.count < 2 || parts[1].isEmpty ? 0 : Int(parts[1])
        guard let database, (0..<(1 << 20)).contains(database) else {
            return refuse("the database of an address of Redis is no number")
        }
        guard let address = Self.address(parts[0], Self.standardPort) else {
            return refuse("an address of Redis without a host, or with a port that is not from 1 to 65535")
        }
        return Location(isTLS: isTLS, user: user, address: address, database: database)
    }

    /// `HOST`, `HOST:PORT`, or an IPv6 address in brackets.
    private static func address(_ text: Substring, _ standardPort: UInt16) -> RedisAddress? {
        var host = text
        var port: UInt16? = standardPort
        if text.hasPrefix("["), let end = text.lastIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            if !rest.isEmpty { port = rest.hasPrefix(":") ? UInt16(rest.dropFirst()) : nil }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = UInt16(text[text.index(after: colon)...])
        }
        let isHost = host.utf8.allSatisfy { byte in
            byte > 0x20 && byte < 0x7F && !"/?#@[]".utf8.contains(byte)
        }
        guard let port, port > 0, !host.isEmpty, isHost else { return nil }
        return RedisAddress(host: String(host), port: port)
    }

    private func addresses(_ node: YAMLNode, _ standardPort: UInt16) -> [RedisAddress]? {
        let remedy = "write them as a list: [HOST:PORT, …]"
        guard let texts = context.list(node, { context.value($0, remedy) { Self.address($0[...], standardPort) } })
        else { return nil }
        guard !texts.isEmpty else {
            if case .sequence(let elements) = node.content, elements.isEmpty {
                context.error(at: node.mark, "an empty list of servers", remedy)
            }
            return nil
        }
        return texts
    }

    private func sentinel(_ node: YAMLNode) -> RedisDeploymentConfiguration.Servers? {
        guard let reader = MappingReader<SentinelKey>(node, in: context) else { return nil }
        let name = reader.required(.name, "write the name of the group that the Sentinels watch")
            .flatMap { context.text($0) }
        let addresses = reader.required(.addresses, "write the Sentinels as a list: [HOST:PORT, …]")
            .flatMap { self.addresses($0, Self.standardSentinelPort) }
        guard let name, let addresses else { return nil }
        return .sentinel(name: name, addresses: addresses)
    }

    // MARK: The rest

    /// nil when it is wrong.
    private func isTLS(_ reader: MappingReader<Key>, _ place: Location?) -> Bool? {
        guard let node = reader[.tls] else { return reader[.url] == nil ? false : place?.isTLS }
        if reader[.url] != nil {
            reader.refuse([.tls], because: "the url says it, by rediss://")
            return nil
        }
        return context.choice(node, [("true", true), ("false", false)])
    }

    private func user(_ reader: MappingReader<Key>, _ place: Location?) -> String? {
        guard let node = reader[.user] else { return place?.user }
        if place?.user != nil { reader.refuse([.user], because: "the url names a user") }
        return context.text(node)
    }

    /// One of its characters would end the part of a key that says where the key is in a cluster.
    private func prefix(_ node: YAMLNode) -> String? {
        context.value(node, "write up to 64 visible ASCII characters without braces, such as switchyard:") { text in
            let isFit = text.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "}")
            }
            return isFit && text.utf8.count <= 64 ? text : nil
        }
    }

    private func onlyAuthorities(_ node: YAMLNode) -> String? {
        let remedy = "name a PEM file with certificates of authorities"
        guard let (path, _) = context.contents(node, maximum: DecodingContext.maximumPEMSize, remedy) else {
            return nil
        }
        guard context.machine != nil else { return path }
        do throws(TLSError) {
            _ = try ClientContext(onlyAuthorities: path)
            return path
        } catch {
            context.error(at: node.mark, "\(error)", remedy)
            return nil
        }
    }
}
