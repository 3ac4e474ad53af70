internal import SwitchyardRouting

/// The `listen:` list.
enum ListenSection {
    enum Key: String, ConfigurationKey {
        case address
        case mode
        case group
        case tls
        case serve
    }

    private enum TLSKey: String, ConfigurationKey {
        case certificate
        case key
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> [DecodedListener] {
        var first: [ListenerAddress: Mark] = [:]
        let listeners = context.list(node) { element -> DecodedListener? in
            guard let listener = listener(element, in: context) else { return nil }
            if let other = first[listener.address], !listener.address.isChosenByKernel {
                context.error(
                    at: element.mark, "a second listener on \(listener.address)",
                    "keep one and let it serve both; the first is on line \(other.line)")
            }
            first[listener.address] = element.mark
            return DecodedListener(configuration: listener, place: context.place(element.mark))
        }
        if node.isEmptyList {
            context.error(at: node.mark, "an empty list of listeners", "name at least one address to listen on")
        }
        return listeners ?? []
    }

    private static func listener(_ node: YAMLNode, in context: DecodingContext) -> ListenerConfiguration? {
        guard let reader = MappingReader<Key>(node, in: context) else { return nil }
        let address = reader.required(.address, addressRemedy).flatMap { self.address($0, reader) }
        let tls = reader[.tls].map { tlsFiles($0, in: context) } ?? []
        let serve = reader.required(.serve, "write serve: [callbacks], [api] or [admin], or several of them")
            .flatMap { services($0, in: context) }
        guard let address, let serve else { return nil }
        check(address, serve, reader)
        return ListenerConfiguration(address: address, tls: tls, serve: serve)
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
            let path = context.file.resolve(String(text.dropFirst("unix:".count)))
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
        let words = ListenerConfiguration.Service.allCases.map { ($0.rawValue, $0) }
        if node.isEmptyList {
            context.error(at: node.mark, "a listener that serves nothing", "write callbacks, api or admin")
        }
        return context.list(node) { context.choice($0, words) }.map { Set($0) }
    }

    /// One certificate, or a list of them from which the server name chooses.
    private static func tlsFiles(_ node: YAMLNode, in context: DecodingContext) -> [TLSFiles] {
        func files(_ node: YAMLNode) -> TLSFiles? {
            guard let reader = MappingReader<TLSKey>(node, in: context) else { return nil }
            let certificate = reader.required(.certificate, "name a PEM file with the certificate and its chain")
                .flatMap { context.existingFile($0) }
            let key = reader.required(.key, "name a PEM file with the private key")
                .flatMap { context.existingFile($0, holdsSecret: true) }
            guard let certificate, let key else { return nil }
            let files = TLSFiles(certificate: certificate, key: key)
            return context.canServe(files, at: reader.mark(of: .certificate)) ? files : nil
        }
        guard case .sequence(let elements) = node.content else { return files(node).map { [$0] } ?? [] }
        if elements.isEmpty {
            context.error(at: node.mark, "an empty list of certificates", "name one, or leave tls out for plain text")
        }
        return elements.compactMap(files)
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
    fileprivate var isChosenByKernel: Bool {
        if case .tcp(_, port: 0) = self { true } else { false }
    }
}
