internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJOSE
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardText

/// Authorizes calls on a request: the caller holds its result token and, if it was begun so, proves the key with each
/// call.
struct RequestAuthorization: Sendable {
    let exchange: Exchange

    /// The request of an id. Unknown ids, wrong tokens and acknowledged requests get the same answer.
    /// - Parameter waits: for a caller that collects the outcome: whether it waits for a change of a request that stands so.
    ///   Such a caller may get the record as this gateway remembers it.
    func record(_ id: String, waits: ((RequestRecord) -> Bool)? = nil) async throws -> RequestRecord {
        guard let field = exchange.request.field("authorization") else {
            throw APIError(
                .unauthorized, "invalid_token", "the call has no \"Authorization: Bearer\" with the result token")
        }
        guard let token = Self.token(in: field), let id = RequestID(id),
            let record = try await find(id, waits: waits),
            record.resultTokenHash == ShortDigest(SHA256Digest(of: token)), record.outcome?.isAcknowledged != true
        else { throw APIError.notFound }
        if let key = record.proofKey { try await checkProof(by: key, token, record) }
        return record
    }

    private func find(_ id: RequestID, waits: ((RequestRecord) -> Bool)?) async throws(StoreError) -> RequestRecord? {
        if let waits, let record = try exchange.registry.find(forCollecting: id, waits: waits) { return record }
        return try await exchange.registry.find(.id(id))
    }

    /// RFC 6750 and, for a call with a proof, RFC 9449 section 7.1; one space or more in front of the token (RFC 9110
    /// section 11.4).
    private static func token(in field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["bearer", "dpop"].contains(parts[0].asciiLowercased) else { return nil }
        return String(parts[1].drop { $0 == " " })
    }

    /// How long a proof could be used again, counted from its first use at the most.
    private static let proofLifetime = Duration.seconds(121)

    private func checkProof(by key: SHA256Digest, _ token: String, _ record: RequestRecord) async throws {
        let request = exchange.request
        let proofs = request.fieldValues("dpop")
        guard proofs.count == 1, let compact = proofs.first else {
            throw APIError.invalidProof("this request was begun with result_proof: each call needs one DPoP header")
        }
        let expected = PossessionProof(
            thumbprint: key, method: request.method.rawValue, urls: urls, now: WallTime.now().seconds,
            token: token)
        let used: SHA256Digest
        do throws(PossessionProofError) {
            used = try expected.check(compact)
        } catch {
            throw APIError.invalidProof("the proof in the DPoP header \(error.rawValue)")
        }
        // A proof for a request that is over may be used again: there is no result to get with it.
        if record.isTombstone { return }
        switch try await exchange.registry.use(proof: used, with: record, lifetime: Self.proofLifetime) {
        case .first: break
        case .repeated: throw APIError.invalidProof("the proof in the DPoP header was used before")
        case .tooMany:
            throw APIError.tooMany(
                "more than \(OneTimeUse.maximum) proofs came for this request in two minutes", .collectRate,
                retryAfter: 30)
        }
    }

    /// The addresses that an app may know this call by. The host is the one that it sent, so that a proxy in front, and
    /// a listener of its own for apps, need no setting; what binds the proof is the path with the request's id in it.
    private var urls: [String] {
        let request = exchange.request
        var urls = [exchange.setup.publicURL(request.pathText)]
        if let authority = request.authority {
            let port = authority.port.map { ":\($0)" } ?? ""
            let host = String(decoding: authority.host, as: UTF8.self) + port
            urls += ["https://\(host)\(request.pathText)", "http://\(host)\(request.pathText)"]
        }
        return urls
    }
}

extension APIError {
    /// RFC 9449 section 7.1.
    fileprivate static func invalidProof(_ description: String) -> APIError {
        var error = APIError(.unauthorized, "invalid_dpop_proof", description)
        error.challenge = "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\""
        return error
    }
}
