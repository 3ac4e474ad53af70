internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The JSON object of a call, read field by field; every mistake names its field.
struct JSONContent {
    private let object: JSONObject

    /// - Throws: 415 for another content type, 400 for anything but one JSON object with known fields.
    init(of request: Request, known: Set<String>) throws(APIError) {
        guard request.mediaType == "application/json" else {
            throw APIError(.unsupportedMediaType, "invalid_request", "the content has to be application/json")
        }
        guard !request.isEncoded else {
            throw APIError(
                .unsupportedMediaType, "invalid_request", "the content has to be plain, without Content-Encoding")
        }
        do {
            guard let object = try JSONValue.parse(request.body).object else {
                throw APIError.invalidRequest("the content is no JSON object")
            }
            self.object = object
        } catch let error as JSONError {
            throw .invalidRequest("the content is no JSON: \(error)")
        } catch let error as APIError {
            throw error
        } catch {
            throw .invalidRequest("the content is no JSON")
        }
        for member in object.members {
            guard known.contains(member.name) else {
                let name = member.name.unicodeScalars.prefix(64).map(String.init).joined()
                throw .invalidRequest(
                    "unknown field \"\(name)\"; the fields are \(known.sorted().joined(separator: ", "))")
            }
        }
    }

    /// The value of a field that is no string, such as an object; an empty string is a wrong value. null counts as left out.
    func value(_ name: String) -> JSONValue? { if case .null = object[name] { nil } else { object[name] } }

    /// The value of a field with a string. One that is null or empty counts as left out (RFC 6749 section 3.1).
    subscript(name: String) -> JSONValue? {
        switch object[name] {
        case .null, .string(""): nil
        case let value: value
        }
    }

    /// The string of a field, also an empty one; nil for anything else.
    func string(_ name: String) -> String? { object[name]?.string }

    /// A string of `minimum` to `maximum` bytes without control characters.
    func text(_ name: String, minimum: Int = 1, maximum: Int = 2048) throws(APIError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw .invalidRequest("\"\(name)\" has to be a string") }
        guard (minimum...maximum).contains(text.utf8.count) else {
            throw .invalidRequest("\"\(name)\" has to be \(minimum) to \(maximum) bytes long")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .invalidRequest("\"\(name)\" holds a control character")
        }
        return text
    }

    func requiredText(_ name: String, minimum: Int = 1, maximum: Int = 2048) throws(APIError) -> String {
        guard let text = try text(name, minimum: minimum, maximum: maximum) else {
            throw .invalidRequest("\"\(name)\" is missing")
        }
        return text
    }
}

extension JSONContent {
    /// `scope`; nil where it is left out.
    func scope() throws(APIError) -> Scopes? {
        guard let text = try text("scope", maximum: 4096) else { return nil }
        guard let scope = Scopes(validating: text) else {
            throw APIError(.badRequest, "invalid_scope", "\"scope\" is no list of scopes separated by spaces")
        }
        return scope
    }
}
