internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    private enum HandlerKey: String, ConfigurationKey {
        case redirect, socket, dbus, exec, webhook

        static let later = ["forward"]
    }

    private enum WebhookKey: String, ConfigurationKey {
        case url
        case secretFile = "secret_file"
    }

    /// Longer paths do not fit into the address of a Unix socket.
    private static let maximumSocketPath = 107
    private static let (maximumHandlers, maximumArguments, maximumArgument) = (8, 64, 4096)

    /// How callbacks reach the app; nil when that is wrong, which is reported.
    func handlers() -> HandlerList? {
        guard let node = reader[.handler] else { return [.pending] }
        switch node.content {
        case .scalar: return context.choice(node, [("pending", [.pending]), ("loopback", [.loopback])])
        case .sequence(let elements): return list(elements, node)
        case .mapping:
            guard let (key, value) = only(node) else { return nil }
            return handler(key, value).map { [$0] }
        }
    }

    private func list(_ elements: [YAMLNode], _ node: YAMLNode) -> HandlerList? {
        guard (1...Self.maximumHandlers).contains(elements.count) else {
            let found = elements.isEmpty ? "an empty list of handlers" : "a list of \(elements.count) handlers"
            context.error(at: node.mark, found, "\(Self.listRemedy); \(Self.maximumHandlers) at most")
            return nil
        }
        var handlers: [Handler] = []
        for (index, element) in elements.enumerated() {
            let isLast = index + 1 == elements.count
            guard let handler = handler(element, isLast: isLast) else { continue }
            handlers.append(handler)
            if case .webhook = handler, !isLast {
                context.error(
                    at: element.mark, "a handler behind a webhook, which is tried again until nobody waits any more",
                    "put the webhook at the end of the list")
            }
        }
        guard handlers.count == elements.count else { return nil }
        // Only the last one may take every callback, so it is the only one of its kind.
        let last = handlers.last.flatMap { $0.takesEveryCallback ? $0 : nil }
        return HandlerList(last == nil ? handlers : handlers.dropLast(), last: last)
    }

    private static let listRemedy =
        "list socket, dbus, exec and webhook in the order in which they are to be tried, and at the end, if none takes the "
        + "callback, pending, loopback or redirect"

    /// nil when it is wrong, which is reported.
    private func handler(_ element: YAMLNode, isLast: Bool) -> Handler? {
        func refuse(_ what: String) -> Handler? {
            context.error(at: element.mark, "\(what) in a list of handlers", Self.listRemedy)
            return nil
        }
        if case .scalar(let word, _) = element.content {
            switch (word, isLast) {
            case ("pending", true): return .pending
            case ("loopback", true): return .loopback
            case ("pending", false), ("loopback", false):
                return refuse("\"\(word)\", which takes every callback, before the end")
            default: return refuse("\"\(word)\"")
            }
        }
        guard let (key, value) = only(element) else { return nil }
        guard key != .redirect || isLast else {
            return refuse("redirect, which takes every callback, before the end")
        }
        return handler(key, value)
    }

    /// The one handler that a mapping names.
    private func only(_ node: YAMLNode) -> (HandlerKey, YAMLNode)? {
        guard let reader = MappingReader<HandlerKey>(node, in: context), !reader.hasRefusedKeys else { return nil }
        let given = HandlerKey.allCases.filter { reader[$0] != nil }
        guard let key = given.first, given.count == 1, let value = reader[key] else {
            context.error(
                at: node.mark, given.isEmpty ? "a handler without its kind" : "several handlers in one mapping",
                given.isEmpty
                    ? "write one of redirect, socket, dbus, exec, webhook"
                    : "write them as a list: [{ \(given[0].rawValue): … }, { \(given[1].rawValue): … }]")
            return nil
        }
        return (key, value)
    }

    private func target(_ node: YAMLNode) -> RedirectURI? {
        let remedy = "write redirect: with a custom scheme or an https URI, without query and fragment"
        guard let text = context.text(node, remedy) else { return nil }
        do {
            let target = try RedirectURI(text, isElsewhere: true)
            if case .loopback = target.form {
                // Its port is only known to the app that listens there at the moment.
                context.error(at: node.mark, "the target \"\(text)\" is a loopback address", remedy)
                return nil
            }
            return target
        } catch {
            context.error(at: node.mark, "the target \"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    // MARK: Each kind of handler

    private func handler(_ key: HandlerKey, _ node: YAMLNode) -> Handler? {
        switch key {
        case .socket:
            let remedy = "write the path of the app's Unix socket, at most \(Self.maximumSocketPath) bytes"
            return context.value(node, remedy) { text in
                let path = context.file.resolve(text)
                let fits = path.utf8.count <= Self.maximumSocketPath && !path.utf8.contains(0)
                return fits ? .socket(path: path) : nil
            }
        case .dbus:
            return context.value(node, "write the app's name on the session bus, such as com.example.Mail") {
                BusName($0).map { .dbus($0) }
            }
        case .exec: return exec(node).map { .exec($0) }
        case .webhook: return webhook(node).map { .webhook($0) }
        case .redirect: return target(node).map { .redirect(target: $0) }
        }
    }

    /// The program runs as the user of this gateway, so only an operator may name one.
    private func exec(_ node: YAMLNode) -> [String]? {
        if case .apps(let team) = context.file.role, !team.isOperators {
            context.error(
                at: node.mark, "exec in a file of another user",
                "let a file of root, or of the user that runs the gateway, name programs; here a socket or a webhook does it"
            )
            return nil
        }
        let remedy = "write the program and its arguments: [\"/usr/bin/app\", \"--ticket\", \"{ticket}\"]"
        guard let found = context.list(node, { argument($0, remedy) }), case .sequence(let elements) = node.content,
            found.count == elements.count
        else { return nil }
        guard let program = found.first, found.count <= Self.maximumArguments else {
            context.error(
                at: node.mark,
                found.isEmpty ? "exec without a program" : "exec with more than \(Self.maximumArguments) arguments",
                remedy)
            return nil
        }
        guard !program.contains(Handler.ticketPlaceholder),
            found.dropFirst().contains(where: { $0.contains(Handler.ticketPlaceholder) })
        else {
            context.error(
                at: node.mark, "exec without \(Handler.ticketPlaceholder) among its arguments",
                "the program gets the callback by it, at POST /v1/tickets: \(remedy)")
            return nil
        }
        // A bare name is looked for in PATH; anything with a slash is a path like any other in this file.
        return [program.contains("/") ? context.file.resolve(program) : program] + found.dropFirst()
    }

    private func argument(_ node: YAMLNode, _ remedy: String) -> String? {
        // Without quotes, YAML reads {ticket} as a mapping of its own.
        if case .mapping(let entries) = node.content, entries.count == 1, entries[0].key == "ticket",
            entries[0].value.isNull
        {
            return Handler.ticketPlaceholder
        }
        return context.value(node, remedy) { text in
            text.utf8.count <= Self.maximumArgument && !text.utf8.contains(0) ? text : nil
        }
    }

    private func webhook(_ node: YAMLNode) -> Webhook? {
        guard let reader = MappingReader<WebhookKey>(node, in: context) else { return nil }
        let remedy = "write an https URL, or an http one on loopback"
        let url = reader.required(.url, remedy).flatMap { node -> EndpointURL? in
            guard let text = context.text(node, remedy) else { return nil }
            do throws(EndpointURLError) {
                return try EndpointURL(text, allowingLoopbackHTTP: true)
            } catch {
                context.error(at: node.mark, "the webhook's URL \"\(text)\" \(error)", remedy)
                return nil
            }
        }
        let file = "name the file that holds the key which the receiver has too"
        let key = reader.required(.secretFile, file).flatMap { node -> Secret? in
            guard let secret = context.secretFile(node) else { return nil }
            guard let key = Self.key(secret) else {
                context.error(
                    at: node.mark, "the webhook's key is none of Standard Webhooks",
                    "write 24 to 64 random bytes in base64, with or without whsec_ before them: openssl rand -base64 32"
                )
                return nil
            }
            return key
        }
        guard let url, let key else { return nil }
        return Webhook(url: url, key: key)
    }

    /// The bytes behind base64, with or without the prefix that Standard Webhooks gives them.
    private static func key(_ secret: Secret) -> Secret? {
        let text = secret.exposedText
        let encoded = text.hasPrefix("whsec_") ? text.dropFirst(6) : text[...]
        guard let bytes = Base64.decode(Array(encoded.utf8)), Webhook.keySizes.contains(bytes.count) else { return nil }
        return Secret(bytes)
    }
}
