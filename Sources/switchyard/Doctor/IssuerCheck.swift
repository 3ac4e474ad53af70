internal import SwitchyardConfiguration
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

/// Checks whether each issuer answers, names itself correctly, and can do what its apps need.
struct IssuerCheck: Sendable {
    private let configuration: Configuration
    private let issuers: [IssuerConfiguration]

    init(configuration: Configuration) {
        self.configuration = configuration
        let used = Set(configuration.apps.map(\.issuer))
        issuers = configuration.issuers.filter { used.contains($0.name) }
    }

    /// The route of calls, and a proxy in this environment that no call goes through.
    private var outgoing: [Finding] {
        let variable = OutgoingRoute.setVariable(Environment.all)
        guard let proxy = configuration.route.proxy else {
            guard let variable else { return [] }
            return [
                .warning(
                    .issuers, "outgoing", "$\(variable) names a proxy, and calls to issuers do not use it",
                    why: "calls leave directly unless the configuration says otherwise",
                    do: "write outgoing: { proxy: environment } if this machine reaches issuers only through it")
            ]
        }
        let direct = issuers.filter { issuer in issuer.addresses.contains { configuration.route.proxy(for: $0) == nil }
        }
        let rest = direct.isEmpty ? "" : "; directly to \(direct.map(\.name).joined(separator: ", "))"
        return [.ok(.issuers, "outgoing", "calls leave through the proxy \(proxy)\(rest)")]
    }

    var summary: String { issuers.count.counted("issuer") }

    func findings(with client: HTTPClient) async -> [Finding] {
        await withTaskGroup(of: (Int, [Finding]).self) { group in
            for (number, issuer) in issuers.enumerated() {
                group.addTask {
                    await (number, IssuerExamination(issuer, configuration, client).findings())
                }
            }
            var found: [(Int, [Finding])] = []
            for await one in group { found.append(one) }
            return outgoing + found.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }
}

extension IssuerConfiguration {
    /// The addresses of it that the configuration names.
    fileprivate var addresses: [String] {
        switch source {
        case .configured(let metadata): [metadata.tokenEndpoint.text]
        case .discovery(let url): [url.text]
        }
    }
}

/// Checks one issuer's answers, metadata and clock.
private struct IssuerExamination: Sendable {
    /// Each has so long for one answer.
    private static let answerLimit = Duration.seconds(5)
    /// The differences of its clock, in seconds. Beyond the second, its tokens are refused.
    private static let (noticeableSkew, fatalSkew): (Int64, Int64) = (10, 60)

    let issuer: IssuerConfiguration
    let apps: [AppRegistration]
    let allowsHTTP: Bool
    let route: OutgoingRoute
    let client: HTTPClient

    init(_ issuer: IssuerConfiguration, _ configuration: Configuration, _ client: HTTPClient) {
        self.issuer = issuer
        self.client = client
        // An app that only has its callbacks passed on talks to its issuer by itself.
        apps = configuration.apps.filter { $0.issuer == issuer.name && $0.handlers.holdsRequests }
        allowsHTTP = configuration.allowsLoopbackHTTP
        route = configuration.route
    }

    func findings() async -> [Finding] {
        switch issuer.source {
        case .configured(let metadata):
            return IssuerPreset(issuer: issuer, json: JSONObject()).findings + (await endpoints(metadata, JSONObject()))
        case .discovery(let url): return await discovered(url)
        }
    }

    private func discovered(_ url: EndpointURL) async -> [Finding] {
        var search = MetadataSearch(for: url)
        while let address = search.next {
            do throws(TransferError) {
                search.take(try await get(address))
            } catch {
                return [unreachable(error, "its metadata")]
            }
        }
        guard let answer = search.answer else { return [] }
        guard answer.status == 200, let json = (try? JSONValue.parse(answer.body))?.object else {
            return [withoutMetadata(answer)]
        }
        let metadata: IssuerMetadata
        do throws(IssuerMetadataError) {
            metadata = try IssuerMetadata.parse(
                json, expectedIssuer: issuer.issuer, rule: issuer.rule, allowingLoopbackHTTP: allowsHTTP)
        } catch {
            return clock(answer) + [await wrongMetadata(error, json)]
                + IssuerPreset(issuer: issuer, json: json).findings
        }
        return clock(answer) + IssuerFeatures(issuer.name, issuer.issuer, apps, json).findings(metadata)
            + IssuerExtras(name: issuer.name, json: json).findings + IssuerPreset(issuer: issuer, json: json).findings
            + (await endpoints(metadata, json))
    }

    // MARK: Metadata of the issuer

    /// An answer that is no metadata. The status tells a wrong address from an issuer, or a proxy, that fails.
    private func withoutMetadata(_ answer: IncomingResponse) -> Finding {
        let (what, remedy) =
            switch answer.status {
            case 401, 403, 407:
                (
                    "its server refuses this machine: status \(answer.status)",
                    "ask the address with curl: a firewall may block this machine, or a proxy may want a login"
                )
            case 429: ("it gets too many requests: status 429", "wait, and look for an app that begins again and again")
            case 500...599:
                (
                    "it fails, or a proxy in front of it does: status \(answer.status)",
                    "try again in a while; if it lasts, tell the operator of the issuer, or of the proxy"
                )
            default:
                (
                    answer.status == 200
                        ? "its metadata is no JSON object" : "its metadata is not there: status \(answer.status)",
                    "compare issuer with the address in the issuer's documentation; the metadata stands below it, at "
                        + "/.well-known/openid-configuration"
                )
            }
        return error(what, why: "the gateway cannot learn where to send anybody", do: remedy)
    }

    private func wrongMetadata(_ problem: IssuerMetadataError, _ json: JSONObject) async -> Finding {
        switch problem {
        case .wrongIssuer:
            let told = (json["issuer"]?.string ?? "").quotable
            let mismatch = IssuerMismatch(asked: issuer.issuer, told: told)
            let remedy: String
            if let form = mismatch.knownForm {
                remedy = "\(form); the two addresses have that provider's form"
            } else {
                remedy = await self.remedy(for: mismatch)
            }
            return error(
                "its metadata is of another issuer, \"\(told)\"",
                why: "tokens of one issuer must not pass for another's, so the gateway takes none of this",
                do: remedy)
        case .missing, .notText, .invalidEndpoint:
            return error(
                "\(problem)".quotable, why: "the gateway does not use it",
                do: "ask who runs the issuer to mend its metadata"
            )
        }
    }

    /// Follows the other issuer to its own metadata: only an address that works is worth writing down.
    private func remedy(for mismatch: IssuerMismatch) async -> String {
        let told = mismatch.told
        guard let url = mismatch.toldURL else {
            return "the metadata name no issuer that can be used: ask who runs the issuer to mend them"
        }
        var search = MetadataSearch(for: url)
        while let address = search.next {
            guard let answer = try? await get(address) else { break }
            search.take(answer)
        }
        let own = search.answer.flatMap { (try? JSONValue.parse($0.body))?.object?["issuer"]?.string }
        if own == told {
            return
                "write issuer: \(told) if that is the one that is meant; every character counts, and its metadata name it too"
        }
        return
            "write issuer: \(told) if that is the one that is meant, and its authorization_endpoint, token_endpoint and jwks_uri "
            + "beside it, because no metadata of that name are at that address"
    }

    // MARK: Its endpoints

    private func endpoints(_ metadata: IssuerMetadata, _ json: JSONObject) async -> [Finding] {
        var found = await keys(metadata)
        // An address that is only looked at; a token endpoint answers 400 or 405, and that it answers is enough.
        do throws(TransferError) {
            let answer = try await get(metadata.tokenEndpoint.text)
            if answer.status >= 500 || answer.status == 404 {
                found.append(
                    warning(
                        "its token endpoint \(metadata.tokenEndpoint.text.quotable) answers \(answer.status) to a bare request",
                        why: "codes are redeemed there", do: "compare the address with the issuer's documentation"))
            }
            if json.members.isEmpty { found += clock(answer) }
        } catch {
            found.append(unreachable(error, "its token endpoint"))
        }
        if !found.contains(where: { $0.level == .error }) {
            found.append(
                .ok(.issuers, issuer.name, "it answers, and can do what \(apps.count) of the apps ask for"))
        }
        return found
    }

    private func keys(_ metadata: IssuerMetadata) async -> [Finding] {
        let needsKeys = apps.contains { $0.defaultScope.contains("openid") || $0.responseMode.isSigned }
        guard let url = metadata.jwksURI else {
            guard needsKeys else { return [] }
            return [
                error(
                    "it has no jwks_uri", why: "ID tokens cannot be verified, and are refused",
                    do: "leave openid out of the apps' scopes, or use an issuer of OpenID Connect")
            ]
        }
        let answer: IncomingResponse
        do throws(TransferError) {
            answer = try await get(url.text)
        } catch {
            return [unreachable(error, "its keys")]
        }
        let set = answer.status == 200 ? (try? JSONValue.parse(answer.body))?.object.flatMap { KeySet($0) } : nil
        guard let set, !set.algorithms.isEmpty else {
            return [
                error(
                    set == nil
                        ? "its keys at \(url.text.quotable) cannot be read (status \(answer.status))"
                        : "none of its keys at \(url.text.quotable) can be used",
                    why: "ID tokens cannot be verified, and are refused",
                    do:
                        "ask who runs the issuer; keys are RSA from 2048 bits, P-256, P-384, P-521 or Ed25519, for sig"
                )
            ]
        }
        let signed = metadata.idTokenSigningAlgorithms.compactMap { SigningAlgorithm(rawValue: $0) }
        guard signed.isEmpty || signed.contains(where: set.algorithms.contains) else {
            return [
                warning(
                    "none of its keys is for an algorithm that it says it signs with "
                        + "(\(signed.map(\.rawValue).joined(separator: ", ")))",
                    why: "ID tokens may not be verified", do: "ask who runs the issuer to mend its metadata")
            ]
        }
        return []
    }

    private func clock(_ answer: IncomingResponse) -> [Finding] {
        guard let date = answer.header("Date").flatMap({ HTTPDate.parse($0) }) else { return [] }
        let difference = date - WallTime.now().seconds
        let words =
            "its answers are dated \(abs(difference)) seconds \(difference > 0 ? "ahead of" : "behind") this machine's clock"
        if abs(difference) > Self.fatalSkew {
            return [
                error(
                    words, why: "tokens are taken with \(Self.fatalSkew) seconds of difference at the most",
                    do:
                        "set this machine's clock right (timedatectl, chronyc tracking); if it is, tell who runs the issuer"
                )
            ]
        }
        if abs(difference) > Self.noticeableSkew {
            return [
                warning(
                    words, why: "beyond \(Self.fatalSkew) seconds every sign-in fails",
                    do: "look at this machine's clock (timedatectl, chronyc tracking)")
            ]
        }
        // A proxy in front of an issuer dates the answers by its own clock.
        return [
            .ok(
                .issuers, issuer.name,
                "its answers have the time of this machine's clock; if sign-ins fail with id_token_from_future or "
                    + "id_token_expired all the same, a proxy dates them, and the issuer's clock is wrong")
        ]
    }

    private func get(_ url: String) async throws(TransferError) -> IncomingResponse {
        try await client.send(
            OutgoingRequest(
                .get, url, timeout: Self.answerLimit, trustAnchor: issuer.trustAnchor?.path,
                route: route, allowsPlainHTTP: allowsHTTP))
    }

    // MARK: Findings

    private func unreachable(_ problem: TransferError, _ what: String) -> Finding {
        let why = "no sign-in with it can begin or end"
        if case .certificate(let fault) = problem.obstacle {
            let words =
                switch fault {
                case .expired: "has expired"
                case .notYetValid: "is not valid yet"
                case .untrusted: "is from an authority that this machine does not believe"
                case .wrongName: "is for another host"
                case .other: "cannot be believed"
                }
            return error(
                "\(what) cannot be had: the certificate of its server \(words)", why: why,
                do: fault == .untrusted
                    ? "name that authority: ca: FILE at the issuer"
                    : "tell who runs the issuer; look at this machine's clock")
        }
        let remedy =
            switch problem.obstacle {
            case .proxyRefused(407)?: "give outgoing the user and the password_file of the proxy"
            case .proxyRefused?: "have the proxy allow the issuer's host, or add the host to no_proxy in outgoing"
            case .offline?: "look at its name in issuer, at this machine's DNS and at its way out"
            default: "look whether a firewall stands between, and whether the issuer is up"
            }
        return error("\(what) cannot be had: \(problem)", why: why, do: remedy)
    }

    private func error(_ what: String, why: String, do remedy: String) -> Finding {
        .error(.issuers, issuer.name, what, why: why, do: remedy)
    }

    private func warning(_ what: String, why: String, do remedy: String) -> Finding {
        .warning(.issuers, issuer.name, what, why: why, do: remedy)
    }
}
