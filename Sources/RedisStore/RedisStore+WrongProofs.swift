public import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedis

/// Wrong release proofs, which all gateways count together.
///
/// Each gateway has all of them in memory. It gets those of others by the channel of changes, and reads the last hour's
/// whenever it subscribes. So only a wrong proof costs Redis a command; a sign-in that goes well is free.
extension RedisStore {
    /// The maximum for all apps and networks together: 1 MiB.
    private static let maximumWrongProofs = 16_384
    private static let hour = Duration.seconds(3600)

    public func share(_ proof: WrongProof) async throws(StoreError) {
        try await onLoop { [keys, patience] session throws(StoreError) in
            let deadline = Instant.now() + patience
            let arguments = [
                proof.name, Session.bytes(proof.at.milliseconds),
                Session.bytes((proof.at + (.zero - Self.hour)).milliseconds),
                Session.bytes(Int64(Self.maximumWrongProofs)), Session.milliseconds(Self.hour), keys.channel,
                Array(session.sender.utf8) + proof.message(.given),
            ]
            _ = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    WrongProofScripts.share, keys: [keys.wrongProofs], arguments, until: deadline)
            }
        }
    }

    public func forgive(_ proofs: [WrongProof]) async throws(StoreError) {
        try await onLoop { [keys, patience] session throws(StoreError) in
            let deadline = Instant.now() + patience
            for proof in proofs {
                let arguments = [
                    proof.name, keys.channel, Array(session.sender.utf8) + proof.message(.forgiven),
                ]
                _ = try await session.repeating(until: deadline) { () throws(RedisError) in
                    try await session.run(
                        WrongProofScripts.forgive, keys: [keys.wrongProofs], arguments, until: deadline)
                }
            }
        }
    }

    public func followWrongProofs(_ tell: @escaping @Sendable (WrongProofNews) -> Void) {
        guard let session = sessions.first else { return }
        let reload = { @Sendable [keys, patience] () -> Void in
            _ = session.loop.start {
                let command = [
                    Array("ZRANGE".utf8), keys.wrongProofs, Array("0".utf8), Array("-1".utf8), Array("WITHSCORES".utf8),
                ]
                let answer = try? await session.send(command, key: keys.wrongProofs, until: .now() + patience)
                let parts = answer?.array ?? []
                let proofs = stride(from: 0, to: parts.count - parts.count % 2, by: 2).compactMap { index in
                    parts[index].bytes.flatMap { name in WrongProof(name: name, milliseconds: parts[index + 1].bytes) }
                }
                if !proofs.isEmpty { tell(.given(proofs)) }
            }
        }
        listener.followWrongProofs(tell, reload: reload)
        session.loop.execute { reload() }
    }
}

/// The first letter of a message about a wrong proof. Other messages are ids of requests, and one id in 64 begins with
/// `-` too. A blank tells the two apart: ids have none.
private enum WrongProofLetter: UInt8 {
    case given = 0x2B
    case forgiven = 0x2D
}

extension WrongProof {
    /// The letter, the name and the time.
    fileprivate func message(_ letter: WrongProofLetter) -> [UInt8] {
        [letter.rawValue] + name + Array(" \(at.milliseconds)".utf8)
    }

    fileprivate init?(name: some Sequence<UInt8>, milliseconds: [UInt8]?) {
        guard let milliseconds, let number = Int64(String(decoding: milliseconds, as: UTF8.self)) else { return nil }
        self.init(name: name, at: Timestamp(milliseconds: number))
    }
}

extension WrongProofNews {
    init?(message: ArraySlice<UInt8>) {
        guard let letter = message.first.flatMap(WrongProofLetter.init(rawValue:)),
            let blank = message.firstIndex(of: UInt8(ascii: " ")),
            let proof = WrongProof(
                name: message[message.index(after: message.startIndex)..<blank],
                milliseconds: Array(message[message.index(after: blank)...]))
        else { return nil }
        switch letter {
        case .given: self = .given([proof])
        case .forgiven: self = .forgiven(proof)
        }
    }
}
