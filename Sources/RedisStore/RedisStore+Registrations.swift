public import SwitchyardCrypto
public import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis

/// The clients that gateways have registered with the authorization servers of resources.
extension RedisStore {
    public func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]? {
        try await onLoop { [keys, patience] session throws(StoreError) in
            let deadline = Instant.now() + patience
            let name = keys.registration(key)
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.send([Array("GET".utf8), name], key: name, until: deadline)
            }
            return answer.bytes
        }
    }

    public func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await onLoop { [keys, patience] session throws(StoreError) in
            let deadline = Instant.now() + patience
            let until = new?.until ?? now
            let arguments = [
                seen ?? [], new?.sealed ?? [], Session.milliseconds(max(until - now, .milliseconds(1))),
                Session.bytes(until.milliseconds), Session.bytes(now.milliseconds), keys.registrations.prefix,
                Array(Base64URL.encode(key.bytes).utf8), Session.bytes(Int64(SealedRegistration.maximumCount)),
            ]
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    RegistrationScripts.replace, keys: [keys.registration(key), keys.registrations.index], arguments,
                    until: deadline)
            }
            return answer.integer == 1
        }
    }
}
