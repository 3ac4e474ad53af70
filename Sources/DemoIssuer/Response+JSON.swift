package import SwitchyardHTTP
package import SwitchyardJSON

extension Response {
    /// A JSON document that nobody keeps.
    package static func json(_ status: Status, _ value: JSONValue) -> Response {
        var response = Response(status, body: .bytes(value.serialized))
        response.fields.add(["Content-Type": "application/json", "Cache-Control": "no-store"])
        return response
    }

    /// One line for people who look with a tool.
    package static func text(_ status: Status, _ line: String) -> Response {
        var response = Response(status, body: .bytes(Array("\(line)\n".utf8)))
        response.fields.add(["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
        return response
    }
}
