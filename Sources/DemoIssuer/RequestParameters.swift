internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The parameters of a request to an endpoint: each once (RFC 6749 section 3.1).
package struct RequestParameters: Sendable {
    /// Why the parameters cannot be used; the raw value is a sentence for the developer of the client.
    package enum ReadingError: String, Error {
        case notFormEncoded = "The parameters are not form-encoded."
        case repeated = "A parameter is given twice."
    }

    private let fields: [FormField]

    package init(_ bytes: [UInt8]) throws(ReadingError) {
        let fields: [FormField]
        do {
            fields = try FormEncoding.decode(bytes)
        } catch {
            throw .notFormEncoded
        }
        for (index, field) in fields.enumerated() where fields[..<index].contains(where: { $0.name == field.name }) {
            throw .repeated
        }
        self.fields = fields
    }

    /// nil also when the value is empty: RFC 6749 section 3.1 treats that as omitted.
    package subscript(name: String) -> String? {
        guard let value = fields.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }

    /// Names and values in their order, for a form that carries them on.
    package var pairs: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
}

/// The parameter `claims` (OpenID Connect Core section 5.5).
enum ClaimsParameter {
    struct Unreadable: Error {}

    /// nil without the parameter.
    static func read(_ parameters: RequestParameters) throws(Unreadable) -> JSONObject? {
        guard let text = parameters["claims"] else { return nil }
        guard let object = (try? JSONValue.parse(Array(text.utf8)))?.object else { throw Unreadable() }
        return object
    }
}
