internal import SwitchyardBridge
internal import SwitchyardHTTP

/// The pages that ask the person, each at an unpredictable address.
struct ConsentService: Service {
    let desk: BridgeDesk

    func respond(to request: Request) async -> Response {
        let language = request.field("accept-language")
        func notice(_ status: Status, _ notice: BridgeNotice) -> Response {
            BridgePage.notice(notice, acceptLanguage: language).response(status)
        }
        // Another host name leads here only by DNS rebinding: an attacker's domain points at this machine.
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
