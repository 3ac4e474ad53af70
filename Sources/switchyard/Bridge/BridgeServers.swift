internal import SwitchyardBridge
internal import SwitchyardHTTP
internal import SwitchyardReactor

/// Servers of this machine's loopback, on the one loop of the command.
struct LoopbackServer {
    let port: UInt16
    private let servers: [Server]

    /// - Parameters:
    ///   - addresses: the addresses to listen at; if one fails, all fail.
    ///   - isBeside: whether another server listens at other addresses of the port.
    ///   - port: 0 for an unpredictable one.
    init(
        _ addresses: [String], port: UInt16, isBeside: Bool = false, on group: EventLoopGroup, _ service: any Service
    ) throws(SystemError) {
        var sockets: [(ListeningSocket, String)] = []
        var failure: SystemError?
        for address in addresses {
            do throws(SystemError) {
                sockets.append((try ListeningSocket(.tcp(host: address, port: port)), address))
            } catch {
                // Without IPv6 on this machine, a browser cannot reach another listener at `::1` instead.
                if address == "::1", addresses.count > 1 || isBeside, !error.isAddressInUse, !Self.hasIPv6 { continue }
                failure = error
            }
        }
        if let failure { throw failure }
        var limits = HTTPLimits()
        // Cookies of every service of this machine come along.
        limits.headerBytes = 128 << 10
        limits.requestLineBytes = 32 << 10
        limits.firstByteTimeout = .seconds(5)
        limits.headerTimeout = .seconds(10)
        servers = sockets.map { socket, address in
            let server = Server(
                group: group, limits: limits, connections: .forOwnUser(at: socket.port), service: service)
            server.listen(Listener(.tcp(host: address, port: port), context: nil, number: 0), on: socket)
            return server
        }
        self.port = sockets.first?.0.port ?? port
    }

    private static var hasIPv6: Bool { (try? ListeningSocket(.tcp(host: "::1", port: 0))) != nil }

    /// When it returns, others can listen on the port; answers under way continue for a moment.
    func stop(on loop: EventLoop) async {
        for server in servers { await server.stopListening() }
        for server in servers { loop.start { await server.stop(grace: .seconds(3)) } }
    }
}

extension BridgePage {
    func response(_ status: Status) -> Response {
        var response = Response(status, body: .bytes(html))
        for field in fields { response.fields.add(named: field.name, Array(field.value.utf8)) }
        response.closesConnection = true
        return response
    }
}

/// Receives the far machine's addresses.
struct FarBrowserService: Service {
    let desk: BridgeDesk

    func respond(to request: Request) async -> Response {
        guard request.method == .post, request.pathText == "/browse" else { return Response(.notFound) }
        guard request.body.count <= AddressJudge.maximumBytes * 2 else { return Response(.contentTooLarge) }
        let address = String(decoding: request.body, as: UTF8.self)
        // The caller gets its answer at once.
        EventLoop.current?.start { await desk.offer(address, from: .program) }
        return Response(.accepted)
    }
}

extension Request {
    /// Host and port as the client named them, in lower case.
    var authorityText: String {
        guard let authority else { return "" }
        let host = String(decoding: authority.host, as: UTF8.self)
        return authority.port.map { "\(host):\($0)" } ?? host
    }
}
