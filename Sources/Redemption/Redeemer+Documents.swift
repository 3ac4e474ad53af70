internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardReactor

extension Redeemer {
    /// The metadata of an issuer, fetched if necessary. Only from a task of the redeemer's loop.
    /// - Throws: ``IssuerUnavailableError`` if the fetch fails and there is no older version. A failure is remembered for 5
    ///   s.
    public func metadata(for issuer: Issuer) async throws(IssuerUnavailableError) -> IssuerMetadata {
        switch issuer.settings.source {
        case .configured(let metadata): return metadata
        case .discovery(let identifier):
            if let fresh = issuer.metadata.fresh(at: time.now()) { return fresh.value }
            return try await issuer.metadata.get(on: loop, time) { [self] in
                await discover(identifier, issuer)
            }.value
        }
    }

    /// Whether the metadata of an issuer are at hand, and its keys too where a signature needs them. Asks for missing ones.
    public func isKnown(_ issuer: Issuer, withKeys: Bool) async -> Bool {
        guard let metadata = try? await metadata(for: issuer) else { return false }
        guard withKeys else { return true }
        return (try? await keys(of: issuer, metadata)) != nil
    }

    /// The keys of an issuer; newer ones than version `outdated` where they can be had.
    func keys(
        of issuer: Issuer, _ metadata: IssuerMetadata, replacing outdated: Int? = nil
    ) async throws(IssuerUnavailableError) -> CachedDocument<KeySet>.Snapshot {
        if outdated == nil, let fresh = issuer.keys.fresh(at: time.now()) { return fresh }
        return try await issuer.keys.get(replacing: outdated, on: loop, time) { [self] in
            await fetchKeys(metadata, issuer)
        }
    }

    /// Asks the addresses of OpenID Connect Discovery section 4 and RFC 8414 section 3, one after the other.
    private func discover(
        _ identifier: EndpointURL, _ issuer: Issuer
    ) async -> CachedDocument<IssuerMetadata>.Outcome {
        await fetch(.discovery, of: issuer) { () async throws(DocumentError) in
            var search = MetadataSearch(for: identifier)
            while let address = search.next { search.take(try await get(address, issuer.settings)) }
            guard let answer = search.answer else { throw DocumentError("no address") }
            let json = try answer.object()
            do throws(IssuerMetadataError) {
                let metadata = try IssuerMetadata.parse(
                    json, expectedIssuer: identifier.text, rule: issuer.settings.rule,
                    allowingLoopbackHTTP: issuer.settings.allowsLoopbackHTTP)
                return (metadata, answer.lifetime)
            } catch {
                throw DocumentError(error.description)
            }
        }
    }

    private func fetchKeys(_ metadata: IssuerMetadata, _ issuer: Issuer) async -> CachedDocument<KeySet>.Outcome {
        guard let url = metadata.jwksURI else { return .failed(reason: "it has no jwks_uri", .wrong) }
        return await fetch(.keys, of: issuer) { () async throws(DocumentError) in
            let answer = try await get(url.text, issuer.settings)
            guard let keys = KeySet(try answer.object()) else { throw DocumentError("not a JWK set") }
            return (keys, answer.lifetime)
        }
    }

    private func fetch<Value: Sendable>(
        _ endpoint: IssuerExchange.Endpoint, of issuer: Issuer,
        _ read: () async throws(DocumentError) -> (Value, lifetime: Duration)
    ) async -> CachedDocument<Value>.Outcome {
        let begin = Instant.now()
        do throws(DocumentError) {
            let (value, lifetime) = try await read()
            note(endpoint, of: issuer, nil, since: begin)
            return .fetched(value, lifetime: lifetime)
        } catch {
            note(endpoint, of: issuer, error.problem, since: begin)
            return .failed(reason: "\(endpoint.rawValue): \(error.reason)", error.cause)
        }
    }

    private func get(_ url: String, _ settings: IssuerSettings) async throws(DocumentError) -> IncomingResponse {
        do throws(TransferError) {
            return try await client.send(OutgoingRequest(.get, url, settings))
        } catch {
            throw DocumentError(error)
        }
    }
}

/// The reason why a document that an issuer publishes cannot be used.
private struct DocumentError: Error {
    let reason: String
    let problem: IssuerExchange.Problem
    var cause = IssuerUnavailableError.Cause.wrong

    init(_ reason: String) {
        self.reason = reason
        problem = .wrongAnswer(IssuerText(reason))
    }

    init(status: Int) {
        reason = "answered with status \(status)"
        problem = .status(status)
        cause = .status(status)
    }

    init(_ error: TransferError) {
        reason = error.message
        problem = IssuerExchange.Problem(error)
        if problem.result == .unreachable, case .named(let name) = problem.obstacle { cause = .unreachable(name) }
    }
}

extension IncomingResponse {
    /// The content of a success as a JSON object. Its type is not looked at: key sets come with several.
    fileprivate func object() throws(DocumentError) -> JSONObject {
        guard status == 200 else { throw DocumentError(status: status) }
        guard let object = (try? JSONValue.parse(body))?.object else { throw DocumentError("no JSON object") }
        return object
    }

    fileprivate var lifetime: Duration {
        CacheLifetime.duration(cacheControl: header("Cache-Control"))
    }
}
