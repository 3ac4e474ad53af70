internal import Glibc
internal import SwitchyardDemo
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard demo`: gateway and demo issuer on loopback, and one whole sign-in, every step shown.
struct DemoCommand: Command {
    static let name = "demo"
    static let summary = "one whole sign-in on loopback, every step shown"
    static let serves = true
    static let options: [Option] = [
        .flag("keep-running", "keep both running, and print the address to open in a browser"),
        .directory(
            "certificates",
            "where ca.pem, server.pem and server.key are (default: certs/dev, or new ones in memory)"),
    ]
    static let help = Help(
        """
        Runs a gateway and a demo identity provider on loopback, with a development certificate, and performs one whole \
        sign-in over TLS: each step with its time and what it proves, then the result.
        """,
        """
        It needs no file and no network. Where there is no `certs/dev`, it makes a certificate in memory, which ends with it.
        """,
        examples: ["switchyard demo"])

    private let keepsRunning: Bool
    private let certificates: String?

    init(_ options: Options) throws {
        keepsRunning = options.has("keep-running")
        certificates = options["certificates"]
    }

    func run() throws -> ExitStatus {
        let signals = try SignalSource([SIGTERM, SIGINT])
        do {
            let world = try DemoWorld(certificates: DemoCertificates(in: certificates), prefersUsualPorts: keepsRunning)
            if keepsRunning {
                try keepRunning(world, signals)
            } else {
                let tour = DemoTour(world) { Terminal.say($0) }
                try runToEnd { try await tour.run() }
            }
            try runToEnd { await world.stop() }
            return .done
        } catch let error as DemoError {
            throw CommandError(error.description, hint: error.hint)
        }
    }

    private func keepRunning(_ world: DemoWorld, _ signals: SignalSource) throws {
        Terminal.say(
            """
            The gateway runs at \(world.gatewayURL), the issuer at \(world.issuerURL).
            A browser trusts them once it trusts \(world.certificates.authority). Ctrl-C ends both.

            """)
        world.group.loops[0].start { await Self.offerSignIns(world) }
        _ = try runToEnd { try await signals.next(on: .required) }
    }

    /// Begins a sign-in, tells its address, waits for its outcome, and begins the next one.
    private static func offerSignIns(_ world: DemoWorld) async {
        let client = HTTPClient(loop: .required)
        let prompt = ReleasePrompt()
        while true {
            do {
                let begun = try await world.begin(["host_label": "demo"], with: client)
                Terminal.say("Open in a browser:\n\n  \(begun.startURL)\n")
                let outcome = try await prompt.outcome(of: begun, with: client)
                Terminal.say("\(begun.reference): \(Self.summary(outcome))\n")
            } catch {
                Terminal.error("\(error)", hint: nil)
                await EventLoop.sleep(until: Instant.now() + .seconds(2))
            }
        }
    }

    private static func summary(_ outcome: JSONObject) -> String {
        let claims = outcome["id_token_claims"]?.object
        if let user = claims?["preferred_username"]?.string ?? claims?["sub"]?.string {
            return "signed in as \(user)"
        }
        return outcome["error"]?.object?["code"]?.string.map { "failed: \($0)" } ?? "took too long"
    }
}
