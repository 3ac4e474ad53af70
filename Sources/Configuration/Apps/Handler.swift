internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    private enum HandlerKey: String, ConfigurationKey {
        case redirect, socket, dbus, exec, webhook, forward

        var isBuilt: Bool { self == .redirect }
    }

    /// How callbacks reach the app; nil when that is wrong, which is reported.
    func handler() -> HandlerKind? {
        guard let node = reader[.handler] else { return .pending }
        switch node.content {
        case .scalar: return context.choice(node, [("pending", .pending)], later: ["loopback"])
        case .sequence:
            context.notSupportedYet("a list of handlers", at: node.mark, "name one")
            return nil
        case .mapping:
            guard let reader = MappingReader<HandlerKey>(node, in: context), !reader.hasRefusedKeys else { return nil }
            let remedy = "write redirect: with a custom scheme or an https URI, without query and fragment"
            return reader.required(.redirect, remedy).flatMap { target($0, remedy) }.map { .redirect(target: $0) }
        }
    }

    private func target(_ node: YAMLNode, _ remedy: String) -> RedirectURI? {
        guard let text = context.text(node, remedy) else { return nil }
        do {
            let target = try RedirectURI(text)
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
}
