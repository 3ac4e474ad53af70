package import SwitchyardHTTP
package import SwitchyardJSON

extension Response {
    /// A JSON document that no cache keeps.
    package static func json(_ status: Status, _ value: JSONValue) -> Response {
        var response = Response(status, body: .bytes(value.serialized))
        response.fields.add(["Content-Type": "application/json", "Cache-Control": "no-store"])
        return response
    }

    /// One line of text, for people with a command-line tool.
    package static func text(_ status: Status, _ line: String) -> Response {
        var response = Response(status, body: .bytes(Array("\(line)\n".utf8)))
        response.fields.add(["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
        return response
    }
}
