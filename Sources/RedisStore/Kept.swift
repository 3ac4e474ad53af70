internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// A record as Redis has it.
///
/// The value is `version (8) · form (1) · signed record`. The version differs after each write. The record is signed
/// with the key ring (``KeyRing/signing(_:)``): a writer without the keys can delete a record or put an earlier one
/// back, but changes no field. The version stands outside of the signature. It is only for scripts to compare.
final class Kept: Sendable {
    let record: RequestRecord
    /// Each write makes a new one. So it says which write was the last, also to a writer that got no answer.
    let version: UInt64
    /// The length of the packed record.
    let size: Int

    /// The form of signed records. Earlier programs expect the packed record's own version here, and report this one as
    /// unknown.
    private static let signedForm: UInt8 = 128

    /// - Throws: ``UnusableRecord``.
    init(value: [UInt8], keys: KeyRing) throws(UnusableRecord) {
        guard value.count > 9 else { throw .notAuthentic }
        guard value[8] == Self.signedForm else {
            throw value[8] < Self.signedForm ? .notSigned : .newerVersion(value[8])
        }
        version = UInt64(value.span, at: 0)
        let packed: [UInt8]
        do throws(SealError) {
            packed = try keys.verifying(value[9...])
        } catch {
            switch error {
            case .unknownKey: throw .unknownKey(id: keys.missingKey(of: Array(value[9...])) ?? "")
            case .notAuthentic: throw .notAuthentic
            }
        }
        size = packed.count
        do throws(PackedRecordError) {
            record = try RequestRecord(packed: packed)
        } catch {
            switch error {
            case .newerVersion(let version): throw .newerVersion(version)
            case .malformed: throw .notAuthentic
            }
        }
    }

    private init(_ record: RequestRecord, _ version: UInt64, _ size: Int) {
        self.record = record
        self.version = version
        self.size = size
    }

    /// A record, and its value to write.
    static func made(_ record: RequestRecord, version: UInt64, keys: KeyRing) -> (kept: Kept, value: [UInt8]) {
        let packed = record.packed
        let kept = Kept(record, version, packed.count)
        return (kept, kept.head + [signedForm] + keys.signing(packed))
    }

    /// The value's first eight bytes.
    var head: [UInt8] { [UInt8](upTo: 8) { version.appendBytes(to: &$0) } }
}

/// Why a value in the place of a record is not used.
enum UnusableRecord: Error, Hashable {
    /// No gateway with these keys has written it, or it was changed since.
    case notAuthentic
    /// It has no signature: an earlier program, or an attacker, has written it.
    case notSigned
    /// Its key is not in the key ring.
    case unknownKey(id: String)
    case newerVersion(UInt8)
}

/// The last state of some requests that a loop has seen. It may be outdated, so each write depends on the condition
/// that it is not.
struct KnownRecords {
    private static let maximum = 512

    private var entries: [RequestID: Kept] = [:]
    /// In the order in which they came; some are gone already.
    private var order: [RequestID] = []
    private var next = 0

    subscript(id: RequestID) -> Kept? { entries[id] }

    mutating func note(_ kept: Kept) {
        let id = kept.record.id
        // It takes no more steps.
        if kept.record.isTombstone { return forget(id) }
        if entries.updateValue(kept, forKey: id) != nil { return }
        if order.count < Self.maximum {
            order.append(id)
        } else {
            entries[order[next]] = nil
            order[next] = id
            next = (next + 1) % Self.maximum
        }
    }

    mutating func forget(_ id: RequestID) { entries[id] = nil }
}

/// The counts of a record, see `Scripts.counts`.
struct Share: Sendable {
    let unfinished: Int
    let bytes: Int
    let app: String
    /// nil for a beginner without a known address.
    let address: String?
    /// nil for a beginner that has no network.
    let network: String?
    /// The minute in which it is given back at the latest: some time after the request is forgotten, and its answer
    /// gone.
    let minute: Int64

    init(_ kept: Kept) {
        let record = kept.record
        unfinished = record.isFinished ? 0 : 1
        bytes = KeptBytes.of(record, packed: kept.size)
        app = "\(record.app)"
        address = record.beginner.callerKey
        network = record.beginner.network
        minute = Self.minute(of: max(record.rememberedUntil, record.dueAt)) + 2
    }

    static func minute(of time: Timestamp) -> Int64 { time.seconds / 60 }
}

/// A change of the counts: which of them, and by how much.
struct CountChange: Sendable {
    enum Kind: Sendable { case altogether, app, address, network }

    /// The amounts that one request adds to a count.
    struct Counts: Hashable, Sendable {
        var unfinished = 0
        var bytes = 0
        var kept = 0

        fileprivate var numbers: [Int] { [unfinished, bytes, kept] }
    }

    /// The limits of a count; nil for unlimited.
    struct Limits: Sendable {
        var unfinished: Int?
        var bytes: Int?
    }

    struct Part: Sendable {
        let kind: Kind
        let key: [UInt8]
        let before: Counts
        let after: Counts
        let limits: Limits

        /// Writes it as scripts read it.
        func write(to bytes: inout [UInt8]) {
            RedisArguments.write(Int64(limits.unfinished ?? -1), to: &bytes)
            for number in [limits.bytes ?? -1] + before.numbers + after.numbers {
                bytes.append(UInt8(ascii: " "))
                RedisArguments.write(Int64(number), to: &bytes)
            }
        }

        /// The change that takes it back.
        var reversed: Part { Part(kind: kind, key: key, before: after, after: before, limits: Limits()) }

        /// The refusal that belongs to a full limit.
        /// - Parameter limit: as scripts answer: 1 for unfinished requests, 2 for bytes.
        func refusal(_ limit: Int64) -> InsertionRefusal {
            switch (kind, limit) {
            case (.altogether, 1): .tooMany
            case (.altogether, _): .tooManyBytes
            case (.app, _): .tooManyForApp
            case (.address, 1): .tooManyForAddress
            case (.address, _): .tooManyBytesForAddress
            case (.network, 1): .tooManyForNetwork
            case (.network, _): .tooManyBytesForNetwork
            }
        }
    }

    /// In the order in which limits are looked at.
    private(set) var parts: [Part] = []
    /// The minutes of the old and the new share.
    let from: Int64
    let to: Int64

    /// - Parameters:
    ///   - old: nil for a new request.
    ///   - new: nil for one that goes.
    ///   - limits: what must not be gone beyond; nil for what is taken in any case.
    init(from old: Share?, to new: Share?, _ limits: CountLimits?, _ keys: Keys) {
        from = old?.minute ?? new?.minute ?? 0
        to = new?.minute ?? from
        parts.reserveCapacity(4)
        if let app = (new ?? old)?.app, old?.unfinished != new?.unfinished || from != to {
            add(.app, keys.counts(ofApp: app), Limits(unfinished: limits?.perApp), old, new) {
                Counts(unfinished: $0.unfinished)
            }
        }
        if let address = old?.address ?? new?.address {
            let limits = Limits(unfinished: limits?.perAddress, bytes: limits?.bytesPerAddress)
            // A finished request's rest counts for no address.
            add(.address, keys.counts(ofAddress: address), limits, old, new) {
                $0.address == nil ? Counts() : Counts(unfinished: $0.unfinished, bytes: $0.bytes)
            }
        }
        if let network = old?.network ?? new?.network {
            let limits = Limits(unfinished: limits?.perNetwork, bytes: limits?.bytesPerNetwork)
            add(.network, keys.counts(ofNetwork: network), limits, old, new) {
                $0.network == nil ? Counts() : Counts(unfinished: $0.unfinished, bytes: $0.bytes)
            }
        }
        add(.altogether, keys.altogether, Limits(unfinished: limits?.total, bytes: limits?.bytes), old, new) {
            Counts(unfinished: $0.unfinished, bytes: $0.bytes, kept: 1)
        }
        // For a new request, check the total first; for a growing one, its own address.
        if old == nil { parts = parts.suffix(1) + parts.dropLast() }
    }

    private init(parts: [Part], from: Int64, to: Int64) {
        self.parts = parts
        self.from = from
        self.to = to
    }

    /// The refusal that belongs to a full limit.
    /// - Parameter full: as ``Scripts/write`` answers: twice the place of the count, and one less for unfinished
    ///   requests.
    /// - Returns: nil if the number belongs to no limit.
    func refusal(_ full: Int64) -> InsertionRefusal? {
        guard full > 0, full <= parts.count * 2 else { return nil }
        return parts[Int(full - 1) / 2].refusal((full - 1) % 2 + 1)
    }

    var reversed: CountChange { CountChange(parts: parts.map(\.reversed), from: to, to: from) }

    private mutating func add(
        _ kind: Kind, _ key: [UInt8], _ limits: Limits, _ old: Share?, _ new: Share?, _ counts: (Share) -> Counts
    ) {
        let (before, after) = (old.map(counts) ?? Counts(), new.map(counts) ?? Counts())
        guard before != after || from != to, before != Counts() || after != Counts() else { return }
        parts.append(Part(kind: kind, key: key, before: before, after: after, limits: limits))
    }
}

/// The limits of a change; nil for unlimited.
struct CountLimits: Sendable {
    var total: Int?
    var bytes: Int?
    var perApp: Int?
    var perAddress: Int?
    var bytesPerAddress: Int?
    var perNetwork: Int?
    var bytesPerNetwork: Int?

    /// For a new request. A tenth of what holds altogether is for callers that authenticate.
    static func insertion(of record: RequestRecord, within quota: RequestQuota) -> CountLimits {
        let isAuthenticated = record.beginner.isAuthenticated
        return CountLimits(
            total: part(quota.total, isAuthenticated), bytes: part(quota.bytes, isAuthenticated), perApp: quota.perApp,
            perAddress: quota.perAddress, bytesPerAddress: quota.bytesPerAddress,
            perNetwork: RequestQuota.part(ofNetworkLimit: quota.perNetwork, isAuthenticated: isAuthenticated),
            bytesPerNetwork: RequestQuota.part(ofNetworkLimit: quota.bytesPerNetwork, isAuthenticated: isAuthenticated))
    }

    /// For a step that asks for room.
    static func growth(of record: RequestRecord, within quota: RequestQuota) -> CountLimits {
        CountLimits(
            bytes: part(quota.bytes, record.beginner.isAuthenticated), bytesPerAddress: quota.bytesPerAddress,
            bytesPerNetwork: RequestQuota.part(
                ofNetworkLimit: quota.bytesPerNetwork, isAuthenticated: record.beginner.isAuthenticated))
    }

    private static func part(_ limit: Int, _ isAuthenticated: Bool) -> Int {
        isAuthenticated ? limit : limit - limit / 10
    }
}
