internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// "It was not me": the person at the browser ends a sign-in that somebody else began.
///
/// Only a browser that holds a cookie of the sign-in can say so, and no other site can make it: the cookies are Lax, so
/// they do not come with a POST from elsewhere, and browsers that say whose form it was are believed.
struct NotMe: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    /// From the page before the issuer's.
    func answer(_ request: Request, start id: RequestID) async -> Response {
        guard request.isFromOwnSite else { return .page(.forbidden, .refused(.anotherBrowser), to: request) }
        guard Self.isSaid(request) else { return .page(.badRequest, .refused(.malformed), to: request) }
        guard let record = await find(id),
            StartCookie.value(in: request, for: id, .asked, core.registry) != nil
                || StartCookie.isHeld(by: request, for: id, core.registry)
        else {
            return .page(.forbidden, .refused(.anotherBrowser), to: request)
        }
        await end(record)
        guard let ended = await find(id), ended.isFinished else {
            return .page(.conflict, .refused(.replayed), to: request)
        }
        let app = worker.setup.routes.app(record.app)
        var response = Response.page(.ok, .failed(SignInSummary(record, app), .notMe), to: request)
        StartCookie.drop(for: record, request, in: &response)
        return response
    }

    /// From the page that shows the release code.
    func answer(_ request: Request, done reference: Reference) async -> Response {
        guard request.isFromOwnSite else { return .page(.forbidden, .refused(.anotherBrowser), to: request) }
        guard Self.isSaid(request) else { return .page(.badRequest, .refused(.malformed), to: request) }
        guard let cookie = OutcomeCookie(request, for: reference), let record = await find(cookie.id),
            record.reference == reference, record.callback?.browserHash == cookie.hash
        else { return .page(.forbidden, .refused(.anotherBrowser), to: request) }
        await end(record)
        return .redirect(.seeOther, to: Array("/done/\(reference)".utf8))
    }

    private static func isSaid(_ request: Request) -> Bool {
        guard request.mediaType == "application/x-www-form-urlencoded",
            let fields = try? FormEncoding.decode(request.body)
        else { return false }
        return fields.map(\.name) == ["answer"] && fields[0].value == "not_me"
    }

    private func find(_ id: RequestID) async -> RequestRecord? {
        await core.attempt { () async throws(StoreFailure) in try await core.registry.find(.id(id)) } ?? nil
    }

    private func end(_ record: RequestRecord) async {
        let failure = SignInFailure(
            .releaseFailed, description: "the person at the browser says that somebody else began this sign-in")
        let body = JSONValue.object(PendingHandler.answer(failure)).serialized
        let denied = await core.attempt { () async throws(StoreFailure) in
            try await core.registry.deny(record, answer: body)
        }
        if case .success(let ended) = denied { core.events.tell(.denied, of: ended) }
    }
}
