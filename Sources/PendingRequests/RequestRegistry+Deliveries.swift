public import SwitchyardCrypto
public import SwitchyardRouting

/// Callbacks on their way to apps' servers. The store has each until its app has it.
extension RequestRegistry {
    /// How long a gateway that hands a callback over may be silent.
    public static let deliveryLease = Duration.seconds(30)

    /// The result of storing a delivery.
    public enum StoredDelivery: Sendable {
        /// The caller tries, and prolongs its lease meanwhile.
        case claimed(RequestRecord)
        /// The store has it, and the caller could not claim it: some gateway will.
        case left
        /// There is no room. The caller tries, and the delivery ends with its process.
        case noRoom
    }

    /// Stores a callback that is being handed over, and claims it for the caller.
    /// - Parameters:
    ///   - content: the data for the delivery; sealed before it is stored.
    ///   - end: the end of all tries.
    /// - Throws: ``StoreError``; the store may have it all the same.
    public func storeDelivery(
        _ content: [UInt8], of app: AppID, _ reference: Reference, from beginner: RequestRecord.Beginner,
        until end: Timestamp
    ) async throws(StoreError) -> StoredDelivery {
        // The state and the token are never asked for.
        let stateHash = SHA256Digest(of: Random.bytes(32))
        let id = RequestID(for: stateHash)
        let (now, policy) = (clock(), policy)
        var record = RequestRecord(
            id: id, reference: reference, app: app, registration: SHA256Digest(of: app.text),
            redirectURI: RequestRecord.deliveryTarget, completion: .response, scope: "", hostLabel: nil,
            beginner: beginner, stateHash: stateHash, resultTokenHash: SHA256Digest(of: Random.bytes(32)),
            createdAt: now, expiresAt: max(now, end),
            sealedSecrets: policy.keys.seal(content, context: "delivery \(id)"))
        record.parked = RequestRecord.claimTime(from: now)
        let fresh = record
        let inserted = try await ask(.insert) { () async throws(StoreError) in
            try await store.insert(fresh, within: policy.quota.forDeliveries)
        }
        guard case .success = inserted else { return .noRoom }
        guard let claimed = try? await claimDelivery(fresh) else { return .left }
        return .claimed(claimed)
    }

    /// Claims a delivery that no gateway tries; nil where another one was faster.
    public func claimDelivery(_ record: RequestRecord) async throws(StoreError) -> RequestRecord? {
        let callback = RequestRecord.Callback(fingerprint: SHA256Digest(of: Random.bytes(16)), browserHash: nil)
        let claim = RequestRecord.Claim(claimant: Random.number(), lease: clock() + Self.deliveryLease)
        let claimed = try await applyQuietly(.claim(callback, .notNeeded, claim, code: nil), to: record.id)
        return try? claimed.get()
    }

    /// Renews the lease of a caller that still tries.
    /// - Returns: false if the lease was over before, and another gateway may try.
    public func prolongDelivery(_ record: RequestRecord) async throws(StoreError) -> Bool {
        try await prolongDelivery(record, until: clock() + Self.deliveryLease)
    }

    /// Leaves a delivery to the next gateway.
    public func leaveDelivery(_ record: RequestRecord) async throws(StoreError) {
        _ = try await prolongDelivery(record, until: clock())
    }

    private func prolongDelivery(
        _ record: RequestRecord, until lease: Timestamp
    ) async throws(StoreError) -> Bool {
        guard let claimant = record.claim?.claimant else { return false }
        let prolonged = RequestRecord.Claim(claimant: claimant, lease: lease)
        return if case .success = try await applyQuietly(.prolong(prolonged), to: record.id) { true } else { false }
    }

    /// Ends a delivery: the callback was handed over, or is given up.
    public func endDelivery(_ record: RequestRecord) async throws(StoreError) {
        guard let claimant = record.claim?.claimant else { return }
        let outcome = RequestRecord.Outcome(kind: .passedOn, finishedAt: clock(), until: nil)
        _ = try await applyQuietly(.finish(outcome, claimant: claimant), to: record.id)
    }

    /// The content given to ``storeDelivery(_:of:_:from:until:)``; nil if it cannot be read.
    public func deliveryContent(of record: RequestRecord) -> [UInt8]? {
        missingKey(of: record.sealedSecrets) == nil ? open(record.sealedSecrets, "delivery", of: record) : nil
    }

    /// Makes the entry of a callback that another process has begun to hand over.
    public func handOverEntry(_ digest: SHA256Digest, mayGoOn: Bool, until end: Timestamp) -> HandOverEntry {
        HandOverEntry(digest, mayGoOn: mayGoOn, until: end)
    }
}

extension RequestQuota {
    /// Half of each limit, so that a flood of made-up callbacks leaves room for sign-ins.
    var forDeliveries: RequestQuota {
        RequestQuota(
            total: total / 2, perApp: perApp / 2, perAddress: perAddress / 2, perNetwork: perNetwork / 2,
            bytes: bytes / 2, bytesPerAddress: bytesPerAddress / 2, bytesPerNetwork: bytesPerNetwork / 2)
    }
}
