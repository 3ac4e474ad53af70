internal import SwitchyardConfiguration
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// Fetches each client document as an issuer would: by its address, by https, without redirects, 5 KiB at most.
///
/// An issuer refuses each sign-in of a client whose document it cannot read, and says so to the person only.
struct ClientDocumentCheck: Sendable {
    let configuration: Configuration
    let trustAnchor: String?

    private struct Expected {
        let address: String
        let redirectURIs: Set<String>
    }

    /// A gateway may serve thousands; that the first ones are right says most.
    private static let maximum = 50

    func findings(with client: HTTPClient) async -> [Finding] {
        let all = expected
        var findings: [Finding] = []
        for document in all.prefix(Self.maximum) { findings.append(await finding(document, client)) }
        if all.count > Self.maximum {
            findings.append(.ok(.doors, "", "\(all.count - Self.maximum) more client documents were not fetched"))
        }
        return findings
    }

    private var expected: [Expected] {
        guard configuration.publicURL.isHTTPS, configuration.servesBrowsers else { return [] }
        let base = "\(configuration.publicURL)/clients/"
        // For an entry, check the document of the resource that it names. The others differ in their segment only.
        let apps = configuration.apps.compactMap { app -> Expected? in
            let address = base + app.id.text
            let isServed = app.resource.map { !$0.sharesRedirectURI } ?? (app.clientID == address)
            guard isServed else { return nil }
            return Expected(
                address: address,
                redirectURIs: Set(app.redirectURIs.filter(ClientDocument.takes).map(\.text)))
        }
        return apps
            + configuration.clients.map {
                Expected(address: $0.document.address, redirectURIs: Set($0.document.redirectURIs.map(\.text)))
            }
    }

    private func finding(_ document: Expected, _ client: HTTPClient) async -> Finding {
        let answer: IncomingResponse
        do throws(TransferError) {
            answer = try await client.send(
                OutgoingRequest(
                    .get, document.address, headers: [("Accept", "application/json")], timeout: .seconds(5),
                    maximumBytes: ClientDocument.maximumBytes, trustAnchor: trustAnchor))
        } catch {
            return .warning(
                .doors, document.address, "the client document was not fetched: \(error)", why: Self.consequence,
                do: "start the gateway, make its address reachable, and run this again")
        }
        guard answer.status == 200 else { return fault(document, "has the status \(answer.status) in place of 200") }
        let type = answer.headers["content-type"] ?? ""
        guard type.prefix(while: { $0 != ";" }).lowercased() == "application/json" else {
            return fault(document, "is not application/json, but \"\(type.quotable)\"")
        }
        guard let json = (try? JSONValue.parse(answer.body))?.object else {
            return fault(document, "is no JSON object")
        }
        guard json["client_id"]?.string == document.address else {
            return fault(document, "names another client_id: \"\((json["client_id"]?.string ?? "").quotable)\"")
        }
        guard Set(json["redirect_uris"]?.array?.compactMap(\.string) ?? []) == document.redirectURIs else {
            return fault(document, "has other redirect URIs than the configuration")
        }
        return .ok(.doors, document.address, "the client document is there, as an issuer fetches it")
    }

    private func fault(_ document: Expected, _ what: String) -> Finding {
        .error(
            .doors, document.address, "the client document \(what)", why: Self.consequence,
            do: "let the address lead to this gateway without a redirect or a login, and reload the gateway")
    }

    private static let consequence = "an issuer that reads it refuses each sign-in of this client"
}
