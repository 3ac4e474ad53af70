internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// `extra_parameters` of a begin: what the app adds to the requests that the gateway composes.
///
/// A flat object goes to the authorization request, and its `resource` to the token request as well (RFC 8707 section
/// 2). A nested one, `{"authorization": {…}, "token": {…}}`, names where each parameter goes.
struct ExtraParameters {
    let authorization: [FormField]
    let token: [FormField]
    let isNested: Bool

    private static let maximumCount = 32

    init(_ content: JSONContent) throws(APIError) {
        guard let value = content.value("extra_parameters") else {
            (authorization, token, isNested) = ([], [], false)
            return
        }
        guard let members = value.object?.members, members.count <= Self.maximumCount else {
            throw .invalidRequest("\"extra_parameters\" has to be an object with at most \(Self.maximumCount) members")
        }
        isNested = members.contains { $0.value.object != nil && ParameterTarget(rawValue: $0.name) != nil }
        guard isNested else {
            authorization = try Self.fields(members, of: .authorization)
            token = authorization.filter { $0.name == "resource" }
            return
        }
        var fields: [ParameterTarget: [FormField]] = [:]
        for (name, value) in members {
            guard let target = ParameterTarget(rawValue: name), let inner = value.object?.members else {
                throw .invalidRequest(
                    "\"extra_parameters\" has \"\(Self.shown(name))\" beside \"authorization\" or \"token\"; put each "
                        + "parameter into one of these two objects, or use neither")
            }
            guard inner.count <= Self.maximumCount else {
                throw .invalidRequest(
                    "\"extra_parameters\": \"\(name)\" may have at most \(Self.maximumCount) members")
            }
            fields[target] = try Self.fields(inner, of: target)
        }
        (authorization, token) = (fields[.authorization] ?? [], fields[.token] ?? [])
    }

    private static func fields(
        _ members: [(name: String, value: JSONValue)], of target: ParameterTarget
    ) throws(APIError) -> [FormField] {
        var fields: [FormField] = []
        for (name, value) in members {
            guard !AuthorizationRequest.isProper(name) else {
                throw .invalidRequest(
                    "\"extra_parameters\": \"\(shown(name))\" is a field of the request itself; put it beside \"extra_parameters\""
                )
            }
            guard !target.isOwn(name) else {
                throw .invalidRequest(
                    "\"extra_parameters\": the gateway sets \"\(shown(name))\" of the \(target.rawValue) request itself"
                )
            }
            guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .invalidRequest(
                    "\"extra_parameters\": a name has 1 to 128 bytes and no control character, unlike \"\(shown(name))\""
                )
            }
            guard target.isPlain(name) else {
                throw .invalidRequest(
                    "\"extra_parameters\": a name in the token request has letters, digits, \"_\", \"-\" and \":\" only, unlike "
                        + "\"\(shown(name))\"")
            }
            guard let text = value.string, text.utf8.count <= 2048 else {
                throw .invalidRequest(
                    "\"extra_parameters\": \"\(shown(name))\" has to be a string of at most 2048 bytes")
            }
            fields.append(FormField(name, text))
        }
        return fields
    }

    private static func shown(_ name: String) -> String { name.unicodeScalars.prefix(64).map(String.init).joined() }
}
