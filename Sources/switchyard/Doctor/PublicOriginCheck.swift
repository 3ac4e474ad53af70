internal import SwitchyardConfiguration
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// Checks whether browsers reach this gateway by each host of its redirect URIs, and what it sees of them. The gateway
/// gives out an address with a nonce, and opens the answer from there itself.
struct PublicOriginCheck: Sendable {
    let configuration: Configuration
    let gateway: Result<AdminConnection, CommandError>
    let trustAnchor: String?
    let isSlow: Bool

    /// Apps wait up to a minute; a proxy in front must wait a little longer.
    private static let longWait = 62
    /// A gateway may serve thousands of hosts; that the first ones are right says most.
    private static let maximumOrigins = 50

    func findings(with client: HTTPClient) async -> [Finding] {
        let admin: AdminConnection
        do throws(CommandError) {
            admin = try gateway.get()
            // Whether anybody is there at all.
            _ = try await call(admin, "/v1/probes", [:], client)
        } catch {
            return [
                .warning(
                    .doors, "", "whether browsers reach it was not tried: \(error)",
                    why: "a name, a proxy or a port that leads elsewhere is found only while the gateway runs",
                    do: (error.hint.map { "\($0), and " } ?? "") + "run this again")
            ]
        }
        let origins = origins
        var findings = await withTaskGroup(of: (Int, [Finding]).self) { group in
            for (number, origin) in origins.prefix(Self.maximumOrigins).enumerated() {
                group.addTask { await (number, PublicOrigin(origin, self, admin, client).findings()) }
            }
            if isSlow, let first = origins.first {
                group.addTask { await (.max, PublicOrigin(first, self, admin, client).longWait(Self.longWait)) }
            }
            var found: [(Int, [Finding])] = []
            for await one in group { found.append(one) }
            return found.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
        if origins.count > Self.maximumOrigins {
            findings.append(
                .ok(.doors, "", "\(origins.count - Self.maximumOrigins) more hosts of redirect URIs were not tried"))
        }
        return findings
    }

    /// The origins to which browsers are sent: the public URL first.
    private var origins: [String] {
        var seen: Set<String> = []
        var origins = ["\(configuration.publicURL)"]
        for app in configuration.apps {
            for uri in app.redirectURIs {
                guard case .https(let host, let port, _) = uri.form else { continue }
                origins.append("https://\(host)\(port == 443 ? "" : ":\(port)")")
            }
        }
        return origins.filter { seen.insert($0).inserted }
    }

    /// The result of an admin call that the gateway takes.
    func call(
        _ admin: AdminConnection, _ path: String, _ body: JSONObject, _ client: HTTPClient
    ) async throws(CommandError) -> JSONObject {
        let answer = try await answer(admin, path, body, client)
        guard answer.status < 300 else { throw admin.refusal("say whether it is reached", answer) }
        return answer.body
    }

    func answer(
        _ admin: AdminConnection, _ path: String, _ body: JSONObject, _ client: HTTPClient
    ) async throws(CommandError) -> GatewayResponse {
        do {
            return try await admin.post(path, body, with: client)
        } catch let failure as CommandError {
            throw failure
        } catch {
            throw CommandError("\(error)")
        }
    }

    static func send(_ request: OutgoingRequest, _ client: HTTPClient) async -> Result<
        IncomingResponse, TransferError
    > {
        do throws(TransferError) {
            return .success(try await client.send(request))
        } catch {
            return .failure(error)
        }
    }
}
