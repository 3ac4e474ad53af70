internal import SwitchyardJSON

/// Why a command's work failed.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// From an error answer of the API.
    init(_ what: String, _ status: Int, _ body: JSONObject) {
        let reason = (body["error_description"] ?? body["error"])?.string?.printable ?? "status \(status)"
        self.init("\(what): \(reason)")
    }
}
