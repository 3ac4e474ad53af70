internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardTLS

/// One host by which browsers come.
struct PublicOrigin: Sendable {
    let origin: String
    let check: PublicOriginCheck
    let admin: AdminConnection
    let client: HTTPClient

    /// Shows whether a query arrives unchanged.
    private static let query = "probe=a%2Fb%2Bc"
    private static let cookie = "__Host-sy-door"
    /// The longest answer of a gateway.
    private static let maximumAnswer = 8 << 10

    init(_ origin: String, _ check: PublicOriginCheck, _ admin: AdminConnection, _ client: HTTPClient) {
        self.origin = origin
        self.check = check
        self.admin = admin
        self.client = client
    }

    private var configuration: Configuration { check.configuration }

    func findings() async -> [Finding] {
        let path: String
        do throws(CommandError) {
            path = try await self.path()
        } catch {
            return [untried(error)]
        }
        let first = await get(path, trusting: check.trustAnchor)
        switch first {
        case .success(let answer):
            return lifetime(answer) + (await judge(answer, path))
        case .failure(let problem):
            var findings = [unreachable(problem)]
            // Tries again with any certificate: the address may still lead here.
            if problem.isUntrusted, let again = await trustingOwn(path) {
                if case .success(let answer) = again { findings += await judge(answer, path) }
            }
            return findings
        }
    }

    /// A fresh address of the gateway's to ask for.
    private func path() async throws(CommandError) -> String {
        guard let path = try await check.call(admin, "/v1/probes", [:], client)["path"]?.string else {
            throw CommandError("the gateway names no address to ask for")
        }
        return path
    }

    private func get(
        _ path: String, trusting anchor: String?, headers: [(String, String)] = [], timeout: Duration = .seconds(5)
    ) async -> Result<IncomingResponse, TransferError> {
        var request = OutgoingRequest(
            .get, "\(origin)\(path)?\(Self.query)", headers: [("Cookie", "\(Self.cookie)=1")] + headers,
            timeout: timeout, maximumBytes: 64 << 10, trustAnchor: anchor,
            allowsPlainHTTP: configuration.allowsLoopbackHTTP)
        request.wantsCertificates = true
        return await PublicOriginCheck.send(request, client)
    }

    /// With the certificates of the configuration themselves as authorities.
    private func trustingOwn(_ path: String) async -> Result<IncomingResponse, TransferError>? {
        let files = configuration.listeners.filter { $0.serve.contains(.callbacks) }.flatMap(\.tls).map(
            \.certificateChain)
        let authorities = configuration.issuers.compactMap(\.trustAnchor?.path)
        for file in Set(files + authorities).sorted() {
            let result = await get(path, trusting: file)
            if case .success = result { return result }
        }
        return nil
    }

    private func lifetime(_ answer: IncomingResponse) -> [Finding] {
        guard !answer.certificates.isEmpty, let chain = try? CertificateChain(pem: answer.certificates) else {
            return []
        }
        let finding = CertificateCheck.lifetime(of: chain, "\(origin), as it is served", "browsers refuse it")
        return [finding]
    }

    // MARK: No answer

    private func unreachable(_ problem: TransferError) -> Finding {
        if case .certificate(let fault) = problem.obstacle { return certificate(fault, problem) }
        let (words, remedy) =
            problem.obstacle == .offline
            ? (
                "is not found",
                "look at its entry in the DNS; if only this machine does not know it, add it to /etc/hosts here"
            )
            : (
                "does not answer",
                "look whether the gateway or its proxy listens there, and whether a firewall stands between"
            )
        return error(
            "\(words): \(problem)", why: "browsers that come back from the issuer end up nowhere", do: remedy)
    }

    private func certificate(_ fault: TransferError.CertificateProblem, _ problem: TransferError) -> Finding {
        let why = "browsers refuse it, so nobody can sign in"
        switch fault {
        case .expired: return error("its certificate has expired", why: why, do: "renew it, then: switchyard reload")
        case .notYetValid:
            return error("its certificate is not valid yet", why: why, do: "look at this machine's clock")
        case .wrongName:
            return error(
                "its certificate is for another host", why: why,
                do: "get one with that name, or correct public_url and the redirect URIs")
        case .other:
            return error(
                "its certificate is not taken: \(problem)", why: why, do: "get another one, then: switchyard reload")
        case .untrusted:
            let words = "its certificate is from an authority that this machine does not believe"
            let remedy = "where browsers believe it, name it here: switchyard doctor --ca FILE"
            guard configuration.publicURL.isLoopback else { return error(words, why: why, do: remedy) }
            return warning(
                words,
                why: "browsers of this machine ask or refuse until they know it; for development that may be meant",
                do: remedy)
        }
    }

    // MARK: An answer

    private func judge(_ answer: IncomingResponse, _ path: String) async -> [Finding] {
        guard answer.status == 200, answer.body.count <= Self.maximumAnswer else { return [another(answer)] }
        let body = String(decoding: answer.body, as: UTF8.self)
        do throws(CommandError) {
            let seen = try await check.answer(
                admin, "/v1/probes/answers", ["path": .string(path), "answer": .string(body)], client)
            switch seen.status {
            case 200:
                return judge(seen.body, setsCookie: answer.header("Set-Cookie")?.hasPrefix("\(Self.cookie)=") ?? false)
            // The gateway can read no answer but those of its keys.
            case 400: return [another(answer)]
            default: throw admin.refusal("say whether it is reached", seen)
            }
        } catch {
            return [untried(error)]
        }
    }

    /// A failure of the gateway itself, which leaves the state of the origin open.
    private func untried(_ failure: CommandError) -> Finding {
        warning(
            "whether it leads to this gateway could not be tried: \(failure)",
            why: "the gateway gives out the address to ask for, and reads the answer",
            do: (failure.hint.map { "\($0), and " } ?? "") + "run this again")
    }

    private func another(_ answer: IncomingResponse) -> Finding {
        let remedy =
            switch answer.status {
            case 301, 302, 303, 307, 308: "have it forwarded here, every path of it; callbacks must not be redirected"
            case 502, 503, 504: "the proxy there does not reach the gateway: compare its upstream with listen"
            case 421: "the certificate that is served there is another host's: compare tls with the host"
            default:
                "have it forwarded to this gateway, every path of it; several gateways behind one name need the same encryption_keys"
            }
        return error(
            "who answers there is not this gateway (status \(answer.status))",
            why: "callbacks would go to another server, codes and all", do: remedy)
    }

    private func judge(_ seen: JSONObject, setsCookie: Bool) -> [Finding] {
        func text(_ name: String) -> String { seen[name]?.string ?? "" }
        func flag(_ name: String) -> Bool { seen[name]?.bool ?? false }
        let fields = seen["forwarding_fields"]?.array?.compactMap(\.string) ?? []
        let isProxied = flag("proxied")
        var found: [Finding] = []
        let host = String(origin.split(separator: "/").last ?? "")
        let hasUsualPort = text("host") == "\(host):443" && origin.hasPrefix("https:")
        if text("host") != host, !hasUsualPort {
            found.append(
                error(
                    "the gateway is asked for \"\(text("host"))\" instead of \(host)",
                    why: "redirect URIs are compared with the Host as it arrives: every callback would be a 404",
                    do: "have the proxy keep it (nginx: proxy_set_header Host $http_host)"))
        }
        if text("query") != Self.query {
            found.append(
                error(
                    "the query arrives changed", why: "codes and states would not be what the issuer sent",
                    do: "have the proxy pass on the address as it came (nginx: proxy_pass without a path)"))
        }
        if !flag("cookie") || (!setsCookie && origin.hasPrefix("https:") && (flag("tls") || isProxied)) {
            found.append(
                error(
                    "cookies do not pass", why: "pages know their browser by one: no release code could be shown",
                    do: "have the proxy pass on Cookie and Set-Cookie"))
        }
        found += judgeForwarding(isProxied, isKnown: flag("known"), fields, peer: text("peer"), from: text("from"))
        if !found.contains(where: { $0.level == .error }) {
            let way = isProxied ? "through the proxy at \(text("peer")), as \(text("from"))" : "from \(text("from"))"
            let who = flag("this_gateway") ? "it leads to this gateway" : "it leads to a gateway with the same keys"
            found.append(.ok(.doors, origin, "\(who), at \(text("listener")), \(way)"))
        }
        return found
    }

    private func judgeForwarding(
        _ isProxied: Bool, isKnown: Bool, _ fields: [String], peer: String, from: String
    ) -> [Finding] {
        let why =
            "everybody behind it counts as one address: its limits hold for all of them together, and same_network and "
            + "the pages cannot tell people apart"
        let header = "nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for"
        if !isProxied, !fields.isEmpty {
            let name = peer.hasPrefix("uid:") ? peer : "\(peer)"
            return [
                warning(
                    "somebody at \(peer) forwards (\(fields.joined(separator: ", "))), and is not believed", why: why,
                    do: "if that is your proxy, write trusted_proxies: [\(name)]")
            ]
        }
        if isProxied, !isKnown {
            return [
                warning(
                    fields.isEmpty
                        ? "the proxy at \(peer) does not say for whom it asks"
                        : "what the proxy at \(peer) says of whom it asks for cannot be used (\(fields.joined(separator: ", ")))",
                    why: why, do: "have it set one header, and take away what clients send (\(header))")
            ]
        }
        if !isProxied, !configuration.trustedProxies.isEmpty, fields.isEmpty {
            return [
                warning(
                    "it was reached past the proxies, from \(peer)",
                    why:
                        "trusted_proxies names some, so browsers are meant to come through them; or one of them adds no header",
                    do: "nothing, if this machine reaches the gateway directly; else \(header)")
            ]
        }
        return []
    }

    // MARK: Patience

    func longWait(_ seconds: Int) async -> [Finding] {
        let path: String
        do throws(CommandError) {
            path = try await self.path()
        } catch {
            return [untried(error)]
        }
        let begin = Instant.now()
        var anchors = [check.trustAnchor]
        anchors +=
            configuration.listeners.flatMap(\.tls).map(\.certificateChain)
            + configuration.issuers.map(\.trustAnchor?.path)
        for anchor in anchors {
            let result = await get(
                path, trusting: anchor, headers: [("Prefer", "wait=\(seconds)")], timeout: .seconds(seconds + 10))
            if case .failure(let problem) = result, problem.isUntrusted { continue }
            let passed = (Instant.now() - begin).components.seconds
            if case .success(let answer) = result, answer.status == 200, passed >= Int64(seconds - 1) {
                return [
                    .ok(.doors, origin, "who is in front waits \(seconds) seconds for an answer, longer than any app")
                ]
            }
            return [
                warning(
                    "something in front ends a wait after \(passed) seconds",
                    why:
                        "apps wait up to 60 seconds for a result; they would try again and again, and look as if they failed",
                    do: "have it wait 75 seconds (nginx: proxy_read_timeout 75s; HAProxy: timeout server 75s)")
            ]
        }
        return []
    }

    private func error(_ what: String, why: String, do remedy: String) -> Finding {
        .error(.doors, origin, what, why: why, do: remedy)
    }

    private func warning(_ what: String, why: String, do remedy: String) -> Finding {
        .warning(.doors, origin, what, why: why, do: remedy)
    }
}
