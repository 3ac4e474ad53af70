internal import SwitchyardBridge
internal import SwitchyardHTTP
internal import SwitchyardReactor

/// The service at a tool's port on this machine.
struct WayBackService: Service {
    let desk: BridgeDesk
    let port: UInt16

    func respond(to request: Request) async -> Response {
        let language = request.field("accept-language")
        let arrived = ArrivedRequest(
            method: request.method.rawValue, authority: request.authorityText, path: request.pathText,
            query: request.queryBytes.map(Array.init), fields: request.fields.all, body: request.body,
            isPrefetch: request.isPrefetch, isNavigation: request.isNavigation)
        guard LoopbackPeer.isOwnUser(request.connection.peer, at: port) else {
            return BridgePage.notice(.notHere, acceptLanguage: language).response(.forbidden)
        }
        let answer: SievedResponse
        do throws(WayBackRefusal) {
            answer = try await desk.pass(arrived, port: port)
        } catch {
            let page = BridgePage.notice(error.notice, acceptLanguage: language)
            var response = page.response(Status(code: error.status) ?? .badRequest)
            if error.status == 405 { response.add("Allow", "GET, POST") }
            return response
        }
        guard let status = Status(code: answer.status) else {
            return BridgePage.notice(.toolResponseUnusable, acceptLanguage: language).response(.ok)
        }
        var response = Response(status, body: answer.body.isEmpty ? .none : .bytes(answer.body))
        for field in answer.fields { response.fields.add(named: field.name, field.value) }
        response.closesConnection = true
        return response
    }
}

/// The reason why a request at a tool's port gets our own page.
enum WayBackRefusal: Error {
    case refused(SieveRefusal)
    /// Its sign-in has just ended otherwise.
    case over
    case toolGone
    case unusableResponse

    var status: Int {
        switch self {
        case .refused(let refusal): refusal.status
        case .over: 410
        case .toolGone: 502
        case .unusableResponse: 200
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
        case .unusableResponse: .toolResponseUnusable
        }
    }
}
