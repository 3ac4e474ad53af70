internal import SwitchyardCrypto
internal import SwitchyardRouting

/// A record as bytes, which is what a store keeps.
///
/// A version, flags, and then each field in turn: numbers as variable-length integers, strings and sealed bytes behind their
/// length, an absent field as a flag only. A record has one such form and no other, so stores can compare the bytes that
/// they read with those that they wrote. One exception: a failure's code of a later version reads as `internal`.
extension RequestRecord {
    /// A reader takes its own version and older ones, never a newer one.
    private static let packedVersion: UInt8 = 1
    /// The version of records with a trace, so that a gateway from before traces reports the reason.
    private static let tracedVersion: UInt8 = 2
    /// The version of records with a passed-on response, so that an earlier gateway reports the reason.
    private static let passedOnVersion: UInt8 = 3

    /// The version of records that were pushed to their issuer, so that an earlier gateway reports the reason.
    private static let pushedVersion: UInt8 = 4

    private var version: UInt8 {
        if pushes != nil { return Self.pushedVersion }
        if case .passedOn = outcome?.kind { return Self.passedOnVersion }
        return trace == nil ? Self.packedVersion : Self.tracedVersion
    }

    /// The bytes that a store keeps of the record. Two records that are equal have the same.
    public var packed: [UInt8] {
        var writer = PackedWriter(reserving: 320 + sealedSecrets.count + (outcome?.sealedAnswer?.count ?? 0))
        writer.byte(version)
        writer.number(UInt64(flags.rawValue))
        writer.id(id)
        writer.reference(reference)
        writer.digest(stateHash)
        writer.text(app.text)
        writer.time(createdAt, since: .zero)
        writer.time(expiresAt, since: createdAt)
        writeOptionals(to: &writer)
        write(phase, to: &writer)
        // A copy that takes as much memory as it needs, because a record may stay for long.
        var packed: [UInt8] = []
        packed.reserveCapacity(writer.result.count)
        packed.append(contentsOf: writer.result)
        return packed
    }

    /// The id of a packed record, without the rest; nil if the bytes are not a record.
    static func id(ofPacked packed: [UInt8]) -> RequestID? {
        var reader = PackedReader(packed)
        guard (try? reader.byte()) != nil, (try? reader.number()) != nil, let id = try? reader.bytes(16) else {
            return nil
        }
        return RequestID(bytes: id)
    }

    /// Reads what ``packed`` wrote.
    /// - Throws: ``PackedRecordError`` for anything else, down to the last bit.
    public init(packed: [UInt8]) throws(PackedRecordError) {
        self = try Self.read(packed)
    }

    // Not in the initializer itself: one that may throw copies what it has made.
    private static func read(_ packed: [UInt8]) throws(PackedRecordError) -> RequestRecord {
        var reader = PackedReader(packed)
        let version = try reader.byte()
        guard version <= pushedVersion else { throw .newerVersion(version) }
        guard version >= packedVersion else { throw .malformed }
        guard let bits = UInt32(exactly: try reader.number()), bits & ~Flags.known == 0 else { throw .malformed }
        let flags = Flags(rawValue: bits)
        guard let id = RequestID(bytes: try reader.bytes(16)), let reference = Reference(bytes: try reader.bytes(7))
        else {
            throw .malformed
        }
        let stateHash = try reader.digest()
        guard let app = AppID(try reader.text()) else { throw .malformed }
        let createdAt = try reader.time(since: .zero)
        let expiresAt = try reader.time(since: createdAt)
        let hostLabel = try flags.contains(.hostLabel) ? reader.text() : nil
        var record = RequestRecord(
            id: id, reference: reference, app: app, hostLabel: hostLabel, stateHash: stateHash, createdAt: createdAt,
            expiresAt: expiresAt, target: try reader.target(isDigest: flags.contains(.targetDigest)),
            beginner: try reader.beginner(flags))
        try record.readOptionals(flags, from: &reader)
        record.phase = try phase(from: &reader, since: createdAt)
        // An empty field has no second spelling.
        guard reader.isAtEnd, record.flags == flags, record.version == version else { throw .malformed }
        return record
    }

    private func writeOptionals(to writer: inout PackedWriter) {
        if let hostLabel { writer.text(hostLabel) }
        switch target {
        case .uri(let text): writer.text(text)
        case .digest(let digest): writer.fixed(digest)
        }
        if let callerKey = beginner.callerKey { writer.text(callerKey) }
        if flags.contains(.ownAddress), let address = beginner.address { writer.text(address) }
        if let uid = beginner.uid { writer.number(UInt64(uid)) }
        if let registration { writer.digest(registration) }
        if !scope.isEmpty { writer.text(scope) }
        if let resultTokenHash { writer.digest(resultTokenHash) }
        if let proofKey { writer.digest(proofKey) }
        if !sealedSecrets.isEmpty { writer.sized(sealedSecrets) }
        if let release { writer.byte(release.packed) }
        if let callback {
            writer.digest(callback.fingerprint)
            if let browserHash = callback.browserHash { writer.digest(browserHash) }
        }
        if let parked {
            writer.sized(parked.sealed)
            writer.time(parked.until, since: createdAt)
        }
        if !strayCodes.isEmpty {
            writer.number(UInt64(strayCodes.count))
            for code in strayCodes { writer.digest(code) }
        }
        if let trace { writer.bytes(trace.id) }
        if let pushes {
            writer.number(UInt64(clamping: pushes.count))
            writer.sized(pushes.sealed)
            writer.time(pushes.until, since: createdAt)
        }
    }

    private mutating func readOptionals(
        _ flags: Flags, from reader: inout PackedReader
    ) throws(PackedRecordError) {
        completion = flags.contains(.response) ? .response : .tokens
        isWatchedFromElsewhere = flags.contains(.watched)
        if flags.contains(.registration) { registration = try reader.digest() }
        if flags.contains(.scope) { scope = try reader.text() }
        if flags.contains(.resultToken) { resultTokenHash = try reader.shortDigest() }
        if flags.contains(.proofKey) { proofKey = try reader.digest() }
        if flags.contains(.secrets) { sealedSecrets = try reader.sized() }
        if flags.contains(.release) {
            guard let release = Release(packed: try reader.byte()) else { throw .malformed }
            self.release = release
        }
        if flags.contains(.callback) {
            let fingerprint = try reader.shortDigest()
            let browserHash = try flags.contains(.browser) ? reader.shortDigest() : nil
            callback = Callback(fingerprint: fingerprint, browserHash: browserHash)
        }
        if flags.contains(.parked) {
            let sealed = try reader.sized()
            parked = Parked(sealed: sealed, until: try reader.time(since: createdAt))
        }
        if flags.contains(.strayCodes) {
            let count = try reader.number()
            guard count <= 16 else { throw .malformed }
            for _ in 0..<count { strayCodes.append(try reader.shortDigest()) }
        }
        if flags.contains(.trace) {
            let id = Array(try reader.bytes(16))
            guard let trace = TraceContext(id: id, isSampled: flags.contains(.sampledTrace)) else { throw .malformed }
            self.trace = trace
        }
        if flags.contains(.pushes) {
            guard let count = Int(exactly: try reader.number()), count <= Pushes.maximum else { throw .malformed }
            let sealed = try reader.sized()
            guard count > 0 || !sealed.isEmpty else { throw .malformed }
            pushes = Pushes(count: count, sealed: sealed, until: try reader.time(since: createdAt))
        }
    }

    /// The optional parts that a record has, and its yes-or-no fields.
    private var flags: Flags {
        var flags: Flags = []
        func set(_ flag: Flags, if isSet: Bool) {
            if isSet { flags.insert(flag) }
        }
        set(.response, if: completion == .response)
        set(.hostLabel, if: hostLabel != nil)
        if case .digest = target { flags.insert(.targetDigest) }
        set(.callerKey, if: beginner.callerKey != nil)
        set(.address, if: beginner.address != nil)
        set(.ownAddress, if: beginner.address != nil && beginner.address != beginner.callerKey)
        set(.addressUnknown, if: beginner.isAddressUnknown)
        set(.uid, if: beginner.uid != nil)
        set(.authenticated, if: beginner.isAuthenticated)
        set(.registration, if: registration != nil)
        set(.scope, if: !scope.isEmpty)
        set(.resultToken, if: resultTokenHash != nil)
        set(.proofKey, if: proofKey != nil)
        set(.secrets, if: !sealedSecrets.isEmpty)
        set(.release, if: release != nil)
        set(.callback, if: callback != nil)
        set(.browser, if: callback?.browserHash != nil)
        set(.watched, if: isWatchedFromElsewhere)
        set(.parked, if: parked != nil)
        set(.strayCodes, if: !strayCodes.isEmpty)
        set(.trace, if: trace != nil)
        set(.sampledTrace, if: trace?.isSampled == true)
        set(.pushes, if: pushes != nil)
        return flags
    }

    struct Flags: OptionSet {
        let rawValue: UInt32

        static let response = Flags(rawValue: 1 << 0)
        static let hostLabel = Flags(rawValue: 1 << 1)
        static let targetDigest = Flags(rawValue: 1 << 2)
        static let callerKey = Flags(rawValue: 1 << 3)
        static let address = Flags(rawValue: 1 << 4)
        /// The address differs from the caller's key, so the record has both.
        static let ownAddress = Flags(rawValue: 1 << 5)
        static let addressUnknown = Flags(rawValue: 1 << 6)
        static let uid = Flags(rawValue: 1 << 7)
        static let authenticated = Flags(rawValue: 1 << 8)
        static let registration = Flags(rawValue: 1 << 9)
        static let scope = Flags(rawValue: 1 << 10)
        static let resultToken = Flags(rawValue: 1 << 11)
        static let proofKey = Flags(rawValue: 1 << 12)
        static let secrets = Flags(rawValue: 1 << 13)
        static let release = Flags(rawValue: 1 << 14)
        static let callback = Flags(rawValue: 1 << 15)
        static let browser = Flags(rawValue: 1 << 16)
        static let watched = Flags(rawValue: 1 << 17)
        static let parked = Flags(rawValue: 1 << 18)
        static let strayCodes = Flags(rawValue: 1 << 19)
        static let trace = Flags(rawValue: 1 << 20)
        static let sampledTrace = Flags(rawValue: 1 << 21)
        static let pushes = Flags(rawValue: 1 << 22)
        static let known: UInt32 = (1 << 23) - 1
    }
}

extension PackedReader {
    fileprivate mutating func target(isDigest: Bool) throws(PackedRecordError) -> RequestRecord.Target {
        isDigest ? .digest(try fixed()) : .uri(try text())
    }

    fileprivate mutating func beginner(
        _ flags: RequestRecord.Flags
    ) throws(PackedRecordError) -> RequestRecord.Beginner {
        let key = try flags.contains(.callerKey) ? text() : nil
        let address = try flags.contains(.ownAddress) ? text() : flags.contains(.address) ? key : nil
        var uid: UInt32?
        if flags.contains(.uid) {
            guard let number = UInt32(exactly: try number()) else { throw .malformed }
            uid = number
        }
        return RequestRecord.Beginner(
            callerKey: key, address: address, isAddressUnknown: flags.contains(.addressUnknown), uid: uid,
            isAuthenticated: flags.contains(.authenticated))
    }
}
