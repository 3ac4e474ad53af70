internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardText

/// `switchyard status`: the state of a gateway, on one screen.
struct StatusCommand: Command {
    static let name = "status"
    static let summary = "show what the gateway is doing"
    static let options: [Option] =
        AdminConnection.options + [
            .flag("json", "as the gateway tells it; with --watch one line for each time"),
            .flag("watch", "keep showing it, every two seconds, until interrupted"),
        ]
    static let help = Help(
        """
        Shows on one screen what a running gateway does: sign-ins of the last 15 minutes by what became of them, requests by \
        where they stand, apps that wait, how issuers and the store do, limits that are near, certificates that end, and the \
        last refusals with their references, which `switchyard explain` takes. Nothing in it is secret.
        """,
        exits: [
            .done: "the gateway is ready", .failed: "it is not ready, or cannot be asked",
            .usage: "wrong usage, or a configuration that cannot be used",
        ],
        examples: ["switchyard status --watch", "switchyard status --json --admin unix:/run/switchyard/admin.sock"])

    private let gateway: AdminConnection
    private let isJSON: Bool
    private let watches: Bool

    init(_ options: Options) throws {
        gateway = try AdminConnection(options)
        isJSON = options.has("json")
        watches = options.has("watch")
    }

    func run() throws -> ExitStatus {
        if watches { return try watch() }
        let (gateway, isJSON) = (gateway, isJSON)
        return try runToEnd {
            let answer = try await gateway.get("/v1/status", with: HTTPClient(loop: .required))
            guard answer.status == 200 else { throw gateway.refusal("tell its status", answer) }
            let screen = StatusScreen(answer.body)
            if isJSON {
                Terminal.say(.object(answer.body))
            } else {
                Terminal.say(styled: screen.text(.standardOutput))
            }
            return screen.isReady ? .done : .failed
        }
    }

    /// Shows the status again and again until the person ends it. Waits for a gateway that goes away, but fails if
    /// there is none at the beginning.
    private func watch() throws -> ExitStatus {
        let (gateway, isJSON) = (gateway, isJSON)
        return try runToEnd { () async throws -> ExitStatus in
            let client = HTTPClient(loop: .required)
            var hasSeen = false
            while !Terminal.isOutputOver {
                do {
                    let refusal = try await gateway.follow("/v1/status", silence: .seconds(10), with: client) { event in
                        hasSeen = true
                        if event.name == "status" { Self.show(event.data, isJSON) }
                        return !Terminal.isOutputOver
                    }
                    if let refusal, refusal.status != 503 { throw gateway.refusal("tell its status", refusal) }
                } catch  where hasSeen {
                    Terminal.note("lost the gateway at \(gateway.name); trying again …")
                }
                if !Terminal.isOutputOver { await EventLoop.sleep(until: .now() + .seconds(2)) }
            }
            return .done
        }
    }

    private static func show(_ text: String, _ isJSON: Bool) {
        guard let body = (try? JSONValue.parse(Array(text.utf8)))?.object else { return }
        guard !isJSON else { return Terminal.say(.object(body)) }
        let style = TerminalStyle.standardOutput
        var screen = StatusScreen(body).text(style)
        if let height = style.height {
            // Writes from the top, each line to its end, and clears the rest below. This avoids the flicker of an empty
            // screen.
            let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).prefix(max(4, height - 1))
            screen = "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n") + "\u{1B}[J"
        } else {
            screen += "\n"
        }
        Terminal.say(styled: screen)
    }
}
