internal import SwitchyardRouting
internal import SwitchyardTLS

/// The `listen:` list.
enum ListenSection {
    enum Key: String, ConfigurationKey {
        case address
        case mode
        case group
        case tls
        case serve

        static let later = ["client_ca", "proxy_protocol", "http2", "hsts"]
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> [DecodedListener] {
        var others: [(address: ListenerAddress, mark: Mark)] = []
        let listeners = context.list(node) { element -> DecodedListener? in
            guard let listener = listener(element, in: context) else { return nil }
            let address = listener.configuration.address
            if let other = others.first(where: { $0.address.isTaken(by: address) }) {
                context.error(
                    at: element.mark,
                    "a second listener on \(address), where \(other.address) is on line \(other.mark.line)",
                    "keep one and let it serve both")
            }
            others.append((address, element.mark))
            return listener
        }
        if node.isEmptyList {
            context.error(at: node.mark, "an empty list of listeners", "name at least one address to listen on")
        }
        return listeners ?? []
    }

    private static func listener(_ node: YAMLNode, in context: DecodingContext) -> DecodedListener? {
        guard let reader = MappingReader<Key>(node, in: context) else { return nil }
        let address = reader.required(.address, addressRemedy).flatMap { self.address($0, reader) }
        let certificates = reader[.tls].map { context.serverCertificates($0) } ?? []
        let serve = reader.required(.serve, "write serve: [callbacks], [api] or [admin], or several of them")
            .flatMap { services($0, in: context) }
        guard let address, let serve else { return nil }
        check(address, serve, reader)
        return DecodedListener(
            configuration: ListenerConfiguration(address: address, tls: certificates.map(\.files), serve: serve),
            chains: certificates.compactMap(\.chain), place: context.place(node.mark))
    }

    private static let addressRemedy =
        "write address: 127.0.0.1:8443, [::1]:8443, 0.0.0.0:8443 or unix:/run/switchyard/switchyard.sock"

    private static func address(_ node: YAMLNode, _ reader: MappingReader<Key>) -> ListenerAddress? {
        let context = reader.context
        return context.value(node, addressRemedy) { text in
            guard text.hasPrefix("unix:") else {
                reader.refuse([.mode, .group], because: "only a Unix socket has an owner")
                return ListenerAddress.parseTCP(text)
            }
            let written = text.dropFirst("unix:".count)
            guard !written.isEmpty else { return nil }
            let path = context.file.resolve(String(written))
            // sun_path holds 108 bytes with the zero at its end (unix(7)).
            guard !path.hasSuffix("/"), path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
            let mode = reader[.mode].flatMap { self.mode($0, in: context) } ?? 0o660
            context.checkDirectory(ofSocket: path, at: node.mark)
            return .unix(path: path, mode: mode, group: reader[.group].flatMap { context.group($0) })
        }
    }

    private static func mode(_ node: YAMLNode, in context: DecodingContext) -> UInt32? {
        context.value(node, "write permission bits in octal, such as \"0660\"") { text in
            UInt32(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
        }
    }

    private static func services(_ node: YAMLNode, in context: DecodingContext) -> Set<ListenerConfiguration.Service>? {
        if node.isEmptyList {
            context.error(at: node.mark, "a listener that serves nothing", "write callbacks, api or admin")
        }
        return context.list(node) { context.choice($0, ListenerConfiguration.Service.self) }.map { Set($0) }
    }

    private static func check(
        _ address: ListenerAddress, _ serve: Set<ListenerConfiguration.Service>, _ reader: MappingReader<Key>
    ) {
        if case .unix = address {
            reader.refuse([.tls], because: "a Unix socket does not leave this machine")
        }
        guard !address.isLocal else { return }
        if serve.contains(.admin) {
            reader.context.error(
                at: reader.mark(of: .address), "\(address) serves admin to other machines",
                "serve admin on 127.0.0.1, [::1] or a Unix socket")
        }
        if reader[.tls] == nil {
            reader.context.warning(
                at: reader.mark(of: .address), "\(address) takes codes and tokens over the network in plain text",
                "give it tls, or listen on loopback or a Unix socket behind the proxy")
        }
    }
}

extension ListenerAddress {
    /// Whether listening on one excludes listening on the other.
    fileprivate func isTaken(by other: ListenerAddress) -> Bool {
        switch (self, other) {
        case (.unix(let path, _, _), .unix(let otherPath, _, _)):
            return Self.names(in: path) == Self.names(in: otherPath)
        // The kernel chooses another one for each.
        case (.tcp(_, port: 0), _), (_, .tcp(_, port: 0)): return false
        case (.tcp(let address, let port), .tcp(let otherAddress, let otherPort)):
            // A listener on IPv6 takes IPv6 alone.
            guard port == otherPort, address.isIPv4 == otherAddress.isIPv4 else { return false }
            return address == otherAddress || address.isUnspecified || otherAddress.isUnspecified
        case (.unix, .tcp), (.tcp, .unix): return false
        }
    }

    private static func names(in path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }
}

/// A listener that was read, and where it stands, for the rules that look beyond it.
struct DecodedListener {
    let configuration: ListenerConfiguration
    /// The chains of its certificates; empty for plain text, and where no machine is looked at.
    var chains: [CertificateChain] = []
    let place: Place
}
