internal import SwitchyardOAuth
internal import SwitchyardRouting
internal import SwitchyardText

/// Reads one element of `apps:`.
struct AppDecoder {
    let reader: MappingReader<AppKey>

    var context: DecodingContext { reader.context }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> DecodedApp? {
        MappingReader<AppKey>(node, in: context).flatMap { AppDecoder(reader: $0).decode() }
    }

    private func decode() -> DecodedApp? {
        let id = reader.required(.id, Self.idRemedy).flatMap { context.value($0, Self.idRemedy) { AppID($0) } }
        let name = reader[.name].flatMap { self.name($0) }
        let issuer = reader.required(.issuer, "name one of the issuers").flatMap {
            context.text($0, "name exactly one of the issuers")
        }
        let clientID = reader.required(.clientID, "write the client ID that the issuer gave").flatMap {
            self.clientID($0)
        }
        let redirects = redirectURIs(appID: id)
        let handler = self.handler()
        let policy = handler.flatMap { pendingPolicy($0, redirects?.map(\.uri)) }
        guard let id, let issuer, let clientID, let redirects, let handler, let policy else { return nil }
        let registration = AppRegistration(
            id: id, name: name ?? id.text, issuer: issuer, clientID: clientID, redirectURIs: redirects.map(\.uri),
            handler: handler, release: policy.release, defaultScope: policy.defaultScope,
            clientAuthentication: policy.authentication, beginFrom: policy.beginFrom, tenants: tenants(),
            responseMode: policy.responseMode, requiresStart: policy.requiresStart, returnURI: policy.returnURI,
            relayFrom: policy.relayFrom)
        return DecodedApp(registration, reader, redirectMarks: redirects.map(\.mark))
    }

    private static let idRemedy =
        "write the app's id, such as com.example.app: letters, digits and .-_, at most 128, a letter or digit first"

    /// Shown on pages and in logs, so it is one line of moderate length.
    private func name(_ node: YAMLNode) -> String? {
        context.value(node, "write a name of one line and at most 100 characters") { text in
            let isOneLine = text.unicodeScalars.allSatisfy { scalar in
                // Most names are ASCII, and asking Unicode about each letter takes its time with 100,000 apps.
                if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) }
                return !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
            }
            return isOneLine && text.count <= 100 ? text : nil
        }
    }

    /// RFC 6749 appendix A.1: visible ASCII and spaces.
    private func clientID(_ node: YAMLNode) -> String? {
        context.value(node, "write the client ID as the issuer gave it: ASCII without control characters") { text in
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
        }
    }

    /// nil when `redirect_uris` is wrong; an app that lists none gets its default one.
    private func redirectURIs(appID: AppID?) -> [(uri: RedirectURI, mark: Mark)]? {
        guard let node = reader[.redirectURIs] else {
            guard let appID else { return nil }
            let uri = redirectURI(RedirectURI.defaultURI(bundleID: appID.text), at: reader.node.mark)
            return uri.map { [($0, reader.node.mark)] }
        }
        if node.isEmptyList {
            context.error(
                at: node.mark, "an empty list of redirect URIs",
                "list at least one, or leave the key out for msauth.[id]://auth")
            return nil
        }
        return context.list(node) { element in
            context.text(element).flatMap { redirectURI($0, at: element.mark) }.map { ($0, element.mark) }
        }
    }

    private func redirectURI(_ text: String, at mark: Mark) -> RedirectURI? {
        do {
            return try RedirectURI(text)
        } catch {
            context.error(at: mark, "the redirect URI \"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    private func tenants() -> [String] {
        guard let node = reader[.tenants] else { return [] }
        return context.list(node) { element in
            context.value(element, "write the tenant's id as in the token's \"tid\", a GUID") { text in
                GUID(text) == nil ? nil : text
            }
        } ?? []
    }
}
