import SwitchyardHTTP
import Testing

@testable import SwitchyardGateway

@Suite("JSON content") struct JSONContentTests {
    private func content(_ json: String) throws -> JSONContent {
        try JSONContent(of: .sample(json: json), known: ["name", "other"])
    }

    private func refusal(_ json: String, reading name: String? = nil) throws -> APIError {
        try #require(
            #expect(throws: APIError.self) {
                let content = try content(json)
                if let name { _ = try content.requiredText(name, maximum: 8) }
            })
    }

    @Test(
        "content of the type application/json is read",
        arguments: [
            "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=utf-8",
            "application/json ; charset=utf-8", "application/json;",
        ])
    func contentType(value: String) throws {
        let request = try Request.sample("/", ["Content-Type: \(value)"], body: Array("{}".utf8))
        _ = try JSONContent(of: request, known: [])
    }

    @Test(
        "content of another type, or of none, is refused whatever it holds",
        arguments: [
            [], [""], ["text/plain"], ["text/json"], ["application/x-www-form-urlencoded"], ["multipart/form-data"],
            ["application/jsonx"], ["application/json-seq"], ["application/problem+json"], ["json"], ["*/*"],
            ["text/plain; application/json"], [";application/json, text/plain"],
            ["application/json", "text/plain"], ["text/plain", "application/json"],
        ])
    func otherType(values: [String]) throws {
        let request = try Request.sample("/", values.map { "Content-Type: \($0)" }, body: Array("{}".utf8))
        let error = try #require(#expect(throws: APIError.self) { try JSONContent(of: request, known: []) })
        #expect(error.status == .unsupportedMediaType)
        #expect(error.error == "invalid_request")
    }

    @Test(
        "anything but one JSON object is refused",
        arguments: [
            "", " ", "{", "}", "[]", "[{}]", "\"name\"", "1", "null", "true", "{} {}", "{}x", "{name: 1}",
            "{'name': 'a'}", "{\"name\": \"a\",}", "{\"name\": \"a\", \"name\": \"a\"}", "{\"name\": \"\\ud800\"}",
            "{\"name\": NaN}", "{\"name\": \"a\nb\"}", "{\"na\\u0000me\": 1}", "name=a", "<a/>", "\u{FEFF}{}",
        ])
    func noObject(json: String) throws {
        let error = try refusal(json)
        #expect(error.status == .badRequest)
        #expect(error.error == "invalid_request")
    }

    @Test("bytes that are no UTF-8 are refused", arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80]])
    func encoding(bytes: [UInt8]) throws {
        let body = Array("{\"name\": \"".utf8) + bytes + Array("\"}".utf8)
        let request = try Request.sample("/", ["Content-Type: application/json"], body: body)
        let error = try #require(#expect(throws: APIError.self) { try JSONContent(of: request, known: ["name"]) })
        #expect(error.status == .badRequest)
    }

    @Test("content that is nested beyond measure is refused", arguments: [64, 1000, 30_000])
    func depth(levels: Int) throws {
        let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        #expect(try refusal("{\"name\": \(nested)}").status == .badRequest)
    }

    @Test("an unknown field is refused by its name, with those that are known")
    func unknown() throws {
        let error = try refusal("{\"name\": \"a\", \"nmae\": \"b\"}")
        #expect(error.status == .badRequest)
        #expect(error.error == "invalid_request")
        #expect(error.description == "unknown field \"nmae\"; the fields are name, other")
    }

    @Test("an unknown field that is null, or in another case, is unknown", arguments: ["{\"x\":null}", "{\"Name\":1}"])
    func stillUnknown(json: String) throws {
        #expect(try refusal(json).description.hasPrefix("unknown field \""))
    }

    @Test("of a long unknown name only the beginning is repeated")
    func longName() throws {
        let error = try refusal("{\"\(String(repeating: "n", count: 5000))\": 1}")
        #expect(error.description.hasPrefix("unknown field \"\(String(repeating: "n", count: 64))\";"))
    }

    @Test("a text is read as it stands", arguments: ["a", "12345678", "é€é", "😀😀", "<\\\">", "\\\\"])
    func text(value: String) throws {
        let expected = value.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        #expect(try content("{\"name\": \"\(value)\"}").requiredText("name", maximum: 8) == expected)
    }

    @Test(
        "a field that is absent, null or empty is none",
        arguments: ["{}", "{\"name\": null}", "{\"name\": \"\"}", "{\"other\": \"a\"}"])
    func absent(json: String) throws {
        let content = try content(json)
        #expect(content["name"] == nil)
        #expect(try content.text("name") == nil)
        #expect(try refusal(json, reading: "name").description == "\"name\" is missing")
    }

    @Test(
        "a text of a wrong kind, size or character is refused by its name",
        arguments: [
            ("1", "has to be a string"), ("true", "has to be a string"), ("[\"a\"]", "has to be a string"),
            ("{}", "has to be a string"),
            ("\"123456789\"", "has to be 1 to 8 bytes long"), ("\"éééé€\"", "has to be 1 to 8 bytes long"),
            ("\"a\\nb\"", "holds a control character"), ("\"\\u0000\"", "holds a control character"),
            ("\"a\\r\\n\"", "holds a control character"), ("\"\\u007f\"", "holds a control character"),
            ("\"\\t\"", "holds a control character"),
        ])
    func badText(value: String, complaint: String) throws {
        let error = try refusal("{\"name\": \(value)}", reading: "name")
        #expect(error.status == .badRequest)
        #expect(error.error == "invalid_request")
        #expect(error.description == "\"name\" \(complaint)")
    }
}
