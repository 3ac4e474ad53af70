internal import SwitchyardConfiguration
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON

/// Whether the running gateway uses the configuration that is on the disk.
struct RunningCheck: Sendable {
    let path: String
    let gateway: Result<AdminConnection, CommandError>
    /// Files that the doctor itself found faulty.
    let leftOut: [LeftOutFile]

    func findings(with client: HTTPClient) async -> [Finding] {
        guard let admin = try? gateway.get(), let answer = try? await admin.get("/v1/status", with: client),
            let state = answer.body["configuration"]?.object
        else { return [] }
        var findings: [Finding] = []
        if let refused = state["refused"]?.object {
            findings.append(
                .warning(
                    .configuration, path,
                    "the running gateway refused a reload at \(text(refused["at"])): \(text(refused["reason"]))",
                    why: "it goes on with the configuration of \(text(state["loaded_at"]))",
                    do: "mend that, then: switchyard reload"))
        }
        let known = Set(leftOut.map(\.file))
        for file in state["files_left_out"]?.array?.compactMap(\.object) ?? [] {
            let name = text(file["file"])
            guard !known.contains(name) else { continue }
            let isServed = file["serves"]?.string == "last_good_version"
            findings.append(
                .warning(
                    .configuration, name, "the running gateway does not use it: \(text(file["reason"]))",
                    why: isServed ? "its last good version is in use" : "its apps cannot sign in",
                    do: "mend that; the gateway takes the file by itself within seconds"))
        }
        return findings
    }

    private func text(_ value: JSONValue?) -> String { (value?.string ?? "").quotable }
}
