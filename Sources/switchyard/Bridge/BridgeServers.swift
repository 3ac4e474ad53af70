internal import SwitchyardBridge
internal import SwitchyardHTTP
internal import SwitchyardReactor

/// Servers of this machine's loopback, on the one loop of the command.
struct LoopbackServer {
    let port: UInt16
    private let servers: [Server]

    /// - Parameters:
    ///   - addresses: all of them, or none.
    ///   - isBeside: whether another one listens at other addresses of the port.
    ///   - port: 0 for one that nobody can foretell.
    init(
        _ addresses: [String], port: UInt16, isBeside: Bool = false, on group: EventLoopGroup, _ service: any Service
    ) throws(SystemError) {
        var sockets: [(ListeningSocket, String)] = []
        var failure: SystemError?
        for address in addresses {
            do throws(SystemError) {
                sockets.append((try ListeningSocket(.tcp(host: address, port: port)), address))
            } catch {
                // A machine without IPv6 has nobody there whom a browser could meet instead.
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
                group: group, limits: limits,
                connections: ConnectionLimiter(
                    ConnectionLimiter.Policy(total: 256, perAddress: 256), key: { _ in nil }),
                service: service)
            server.listen(Listener(.tcp(host: address, port: port), context: nil, number: 0), on: socket)
            return server
        }
        self.port = sockets.first?.0.port ?? port
    }

    private static var hasIPv6: Bool { (try? ListeningSocket(.tcp(host: "::1", port: 0))) != nil }

    /// When it returns, others can listen on the port; answers that are under way go on for a moment.
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

/// The pages that ask the person, each at an address that nobody can guess.
struct ConsentService: Service {
    let desk: BridgeDesk

    func respond(to request: Request) async -> Response {
        let language = request.field("accept-language")
        func notice(_ status: Status, _ notice: BridgeNotice) -> Response {
            BridgePage.notice(notice, acceptLanguage: language).response(status)
        }
        // Another name leads here only when somebody points a domain of theirs at this machine (DNS rebinding).
        guard let own = desk.consentAuthority, request.authorityText == own else {
            return notice(.misdirectedRequest, .notHere)
        }
        guard desk.isPersons(request.connection.peer) else { return notice(.forbidden, .notHere) }
        let origins = request.fieldValues("origin")
        let site = request.fieldValues("sec-fetch-site")
        guard origins.allSatisfy({ $0 == "http://\(own)" }) else { return notice(.forbidden, .notANavigation) }
        let parts = request.pathText.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let token = parts.first, parts.count <= 2, let signIn = desk.signIn(token: String(token)) else {
            return notice(.notFound, .notHere)
        }
        guard parts.count == 2, let answer = parts.last.flatMap({ ConsentAnswer(rawValue: String($0)) }) else {
            guard parts.count == 1 else { return notice(.notFound, .notHere) }
            guard request.method == .get else { return notAllowed("GET", language) }
            guard signIn.life.phase == .offered || signIn.life.phase == .going else { return notice(.gone, .ended) }
            return BridgePage.consent(
                to: signIn.life.address, host: desk.host, action: "/\(token)", acceptLanguage: language
            ).response(.ok)
        }
        guard request.method == .post else { return notAllowed("POST", language) }
        guard site.allSatisfy({ $0 == "same-origin" }) else { return notice(.forbidden, .notANavigation) }
        switch answer {
        case .refuse:
            await desk.refuse(signIn)
            return notice(.ok, .refused)
        case .continue:
            guard let url = desk.goOn(signIn) else { return notice(.gone, .ended) }
            var response = notice(.seeOther, .refused)
            response.body = .none
            response.add("Location", url)
            return response
        }
    }

    private func notAllowed(_ methods: String, _ language: String?) -> Response {
        var response = BridgePage.notice(.notHere, acceptLanguage: language).response(.methodNotAllowed)
        response.add("Allow", methods)
        return response
    }
}

/// What stands at a tool's port on this machine.
struct WayBackService: Service {
    let desk: BridgeDesk
    let port: UInt16

    func respond(to request: Request) async -> Response {
        let language = request.field("accept-language")
        let arrived = ArrivedRequest(
            method: request.method.rawValue, authority: request.authorityText, path: request.pathText,
            query: request.queryBytes.map(Array.init), fields: request.fields.all, body: request.body,
            isPrefetch: request.isPrefetch, isNavigation: request.isNavigation)
        guard SocketTable.isOwnUser(request.connection.peer, at: port) else {
            return BridgePage.notice(.notHere, acceptLanguage: language).response(.forbidden)
        }
        let answer: SievedAnswer
        do throws(WayBackFailure) {
            answer = try await desk.pass(arrived, port: port)
        } catch {
            let page = BridgePage.notice(error.notice, acceptLanguage: language)
            var response = page.response(Status(code: error.status) ?? .badRequest)
            if error.status == 405 { response.add("Allow", "GET, POST") }
            return response
        }
        guard let status = Status(code: answer.status) else {
            return BridgePage.notice(.toolAnswerUnusable, acceptLanguage: language).response(.ok)
        }
        var response = Response(status, body: answer.body.isEmpty ? .none : .bytes(answer.body))
        for field in answer.fields { response.fields.add(named: field.name, field.value) }
        response.closesConnection = true
        return response
    }
}

/// Why a request at a tool's port gets a page of ours.
enum WayBackFailure: Error {
    case refused(SieveRefusal)
    /// Its sign-in has just ended otherwise.
    case over
    case toolGone
    case unusableAnswer

    var status: Int {
        switch self {
        case .refused(let refusal): refusal.status
        case .over: 410
        case .toolGone: 502
        case .unusableAnswer: 200
        }
    }

    var notice: BridgeNotice {
        switch self {
        case .refused(.foreignHost), .refused(.unknownPath), .refused(.method), .refused(.prefetch): .notHere
        case .refused(.notNavigation): .notANavigation
        case .refused(.mediaType), .refused(.state), .refused(.notAskedFor): .notStarted
        case .refused(.repeated): .alreadyDelivered
        case .over: .ended
        case .toolGone: .toolGone
        case .unusableAnswer: .toolAnswerUnusable
        }
    }
}

/// Where the far machine's addresses come out.
struct FarBrowserService: Service {
    let desk: BridgeDesk

    func respond(to request: Request) async -> Response {
        guard request.method == .post, request.pathText == "/browse" else { return Response(.notFound) }
        guard request.body.count <= AddressJudge.maximumBytes * 2 else { return Response(.contentTooLarge) }
        let address = String(decoding: request.body, as: UTF8.self)
        // Whoever asks goes on at once.
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
