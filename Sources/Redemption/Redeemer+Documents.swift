internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardReactor

extension Redeemer {
    /// What is known of an issuer, fetched when needed. Only from a task of the redeemer's loop.
    /// - Throws: ``IssuerUnavailable`` when it cannot be had and nothing older is known. A failure is remembered for 5 s.
    public func metadata(for issuer: Issuer) async throws(IssuerUnavailable) -> IssuerMetadata {
        switch issuer.settings.source {
        case .configured(let metadata): return metadata
        case .discovery(let identifier):
            if let fresh = issuer.metadata.fresh(at: time.now()) { return fresh.value }
            return try await issuer.metadata.get(on: loop, time) { [self] in
                await discover(identifier, issuer.settings)
            }.value
        }
    }

    /// The keys of an issuer; newer ones than version `outdated` where they can be had.
    func keys(
        of issuer: Issuer, _ metadata: IssuerMetadata, replacing outdated: Int? = nil
    ) async throws(IssuerUnavailable) -> CachedDocument<KeySet>.Snapshot {
        if outdated == nil, let fresh = issuer.keys.fresh(at: time.now()) { return fresh }
        return try await issuer.keys.get(replacing: outdated, on: loop, time) { [self] in
            await fetchKeys(metadata, issuer.settings)
        }
    }

    /// OpenID Connect Discovery section 4, and where that is not found RFC 8414 section 3.
    private func discover(
        _ identifier: EndpointURL, _ settings: IssuerSettings
    ) async -> CachedDocument<IssuerMetadata>.Outcome {
        do throws(DocumentError) {
            var answer = try await get(WellKnown.openIDConfiguration(identifier), settings)
            if answer.status == 404 { answer = try await get(WellKnown.authorizationServer(identifier), settings) }
            let json = try answer.object()
            do throws(IssuerMetadataError) {
                let metadata = try IssuerMetadata.parse(
                    json, expectedIssuer: identifier.text, rule: settings.rule,
                    allowingLoopbackHTTP: settings.allowsLoopbackHTTP)
                return .fetched(metadata, lifetime: answer.lifetime)
            } catch {
                throw DocumentError(reason: error.description)
            }
        } catch {
            return .failed(reason: "discovery: \(error.reason)", error.cause)
        }
    }

    private func fetchKeys(
        _ metadata: IssuerMetadata, _ settings: IssuerSettings
    ) async -> CachedDocument<KeySet>.Outcome {
        guard let url = metadata.jwksURI else { return .failed(reason: "it has no jwks_uri", .wrong) }
        do throws(DocumentError) {
            let answer = try await get(url.text, settings)
            guard let keys = KeySet(try answer.object()) else { throw DocumentError(reason: "not a JWK set") }
            return .fetched(keys, lifetime: answer.lifetime)
        } catch {
            return .failed(reason: "keys: \(error.reason)", error.cause)
        }
    }

    private func get(_ url: String, _ settings: IssuerSettings) async throws(DocumentError) -> IncomingResponse {
        do throws(TransferError) {
            return try await client.send(OutgoingRequest(.get, url, settings))
        } catch {
            throw DocumentError(
                reason: error.message, cause: .unreachable(isOffline: error.obstacle.map { $0 == .offline }))
        }
    }
}

/// Why a document that an issuer publishes cannot be used.
private struct DocumentError: Error {
    let reason: String
    var cause = IssuerUnavailable.Cause.wrong
}

extension IncomingResponse {
    /// The content of a success as a JSON object. Its type is not looked at: key sets come with several.
    fileprivate func object() throws(DocumentError) -> JSONObject {
        guard status == 200 else {
            throw DocumentError(reason: "answered with status \(status)", cause: .status(status))
        }
        guard let object = (try? JSONValue.parse(body))?.object else { throw DocumentError(reason: "no JSON object") }
        return object
    }

    fileprivate var lifetime: Duration {
        CacheLifetime.duration(cacheControl: header("Cache-Control"))
    }
}
