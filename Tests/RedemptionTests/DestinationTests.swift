import SwitchyardHTTPClient
import SwitchyardRouting
import TestSupport
import Testing

@Suite("Addresses that others gave")
struct DestinationTests {
    private let server = TestServer { _ in .answer(status: 204, body: "") }
    private let loop: TestLoop
    private let client: HTTPClient

    init() throws {
        loop = try TestLoop()
        client = HTTPClient(loop: loop.loop)
    }

    private func send(_ request: OutgoingRequest) async -> Result<IncomingResponse, TransferError> {
        await loop.run { [client] in
            do throws(TransferError) {
                return .success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
    }

    private func request(_ url: String, _ destination: DestinationRule) -> OutgoingRequest {
        var request = OutgoingRequest(.get, url, timeout: .seconds(5), allowsPlainHTTP: true)
        request.destination = destination
        return request
    }

    @Test(
        "a name that leads to this machine is refused before a connection is made",
        arguments: ["localhost", "127.0.0.1"])
    func loopback(host: String) async {
        let error = await send(request("http://\(host):\(server.port)/", .publicServer)).failure
        #expect(error?.obstacle == .forbiddenAddress(.loopback))
        #expect(error?.wasSent == false)
        #expect(server.accepted == 0)
    }

    @Test("a host that the operator named may be loopback")
    func named() async throws {
        #expect(try await send(request("http://localhost:\(server.port)/", .namedHost)).get().status == 204)
    }

    @Test("a connection that was made by another rule is judged again")
    func reused() async throws {
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(try await send(request(url, .anyServer)).get().status == 204)
        #expect(await send(request(url, .publicServer)).failure?.obstacle == .forbiddenAddress(.loopback))
        #expect(server.requests.count == 1)
    }

    @Test(
        "link-local, multicast and unspecified addresses are refused for named hosts, too",
        arguments: [
            ("169.254.169.254", SpecialUse.linkLocal), ("[fe80::1]", .linkLocal), ("0.0.0.0", .unspecified),
            ("[::]", .unspecified), ("224.0.0.1", .multicast), ("[::ffff:169.254.169.254]", .linkLocal),
            ("0xa9fea9fe", .linkLocal),
        ])
    func never(host: String, use: SpecialUse) async {
        #expect(
            await send(request("http://\(host):\(server.port)/", .namedHost)).failure?.obstacle
                == .forbiddenAddress(use))
    }

    @Test("behind a proxy a literal address is refused, although only the proxy would see it")
    func proxy() async throws {
        var request = request("https://10.0.0.1/", .publicServer)
        request.route = OutgoingRoute(proxy: try OutgoingProxy("http://127.0.0.1:\(server.port)"))
        #expect(await send(request).failure?.obstacle == .forbiddenAddress(.privateNetwork))
        #expect(server.accepted == 0)
    }

    @Test("the one maker of such requests sets every limit")
    func rules() {
        let rules = GivenAddressRules(namedHosts: ["mcp.corp.example"])
        let (named, given) = (
            rules.request(.get, "https://MCP.corp.example/x"), rules.request(.get, "https://a.example/")
        )
        #expect(named.destination == .namedHost)
        #expect(named.allowsPlainHTTP)
        #expect(given.destination == .publicServer)
        #expect(!given.allowsPlainHTTP)
        #expect(given.maximumBytes == 64 * 1024)
        #expect(given.timeout == .seconds(5))
    }
}

@Suite("Addresses that names were looked up to") struct ResolvedAddressTests {
    @Test(
        "an address of NAT64 is judged by the one that it holds",
        arguments: [
            ("64:ff9b::808:808", nil), ("64:ff9b::a00:1", .privateNetwork), ("64:ff9b::a9fe:a9fe", .linkLocal),
            ("2606:4700::1111", nil), ("::1", .loopback),
        ] as [(String, SpecialUse?)])
    func nat64(text: String, use: SpecialUse?) throws {
        #expect(SpecialUse(ofResolved: try #require(IPAddress(text))) == use)
    }
}
