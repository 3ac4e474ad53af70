internal import SwitchyardOAuth
internal import SwitchyardText

/// `parameter_names:` of an issuer's deviations: `client_id: client_key`, or by message,
/// `code: { callback: auth_code, token: auth_code }`.
struct ParameterNamesSection {
    let context: DecodingContext

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> ParameterNames {
        ParameterNamesSection(context: context).decode(node)
    }

    private func decode(_ node: YAMLNode) -> ParameterNames {
        var names = ParameterNames()
        guard node.isMapping else {
            context.error(
                at: node.mark, "\(node.kindName) where a mapping belongs",
                "write \"client_id: client_key\" and the like")
            return names
        }
        for entry in node.entries {
            guard ParameterNames.renamable.contains(entry.key) else {
                let known = ParameterNames.renamable.sorted()
                context.error(
                    at: entry.keyMark, "the parameter \"\(entry.key)\" cannot have another name",
                    Spelling.nearest(to: entry.key, among: known).map { "did you mean \"\($0)\"?" }
                        ?? "known here are: \(known.joined(separator: ", "))")
                continue
            }
            read(entry, into: &names)
        }
        return names
    }

    private func read(_ entry: YAMLEntry, into names: inout ParameterNames) {
        guard entry.value.isMapping else {
            for message in ParameterNames.messages(of: entry.key) {
                rename(entry.key, to: entry.value, in: message, &names)
            }
            return
        }
        for inner in entry.value.entries {
            guard let message = ParameterNames.Message(rawValue: inner.key), message.renamable.contains(entry.key)
            else {
                let known = ParameterNames.Message.allCases.filter { $0.renamable.contains(entry.key) }.map(\.rawValue)
                context.error(
                    at: inner.keyMark, "\"\(entry.key)\" has no \"\(inner.key)\"",
                    "known here are: \(known.joined(separator: ", "))")
                continue
            }
            rename(entry.key, to: inner.value, in: message, &names)
        }
    }

    private func rename(
        _ parameter: String, to node: YAMLNode, in message: ParameterNames.Message, _ names: inout ParameterNames
    ) {
        let remedy = "write a name of letters, digits, \"_\", \"-\" and \".\", at most 64"
        let name = context.value(node, remedy) { text in
            (1...64).contains(text.utf8.count)
                && text.allBytes { ASCII.isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) } ? text : nil
        }
        guard let name else { return }
        guard !ParameterNames.isTaken(name), !names.isName(name, in: message) else {
            context.error(
                at: node.mark, "\"\(name)\" as another name of \"\(parameter)\"",
                "write a name that no other parameter of the protocol has")
            return
        }
        names.rename(parameter, to: name, in: message)
    }
}
