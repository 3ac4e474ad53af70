internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardRedis
internal import SwitchyardRouting
internal import SwitchyardText

/// The amounts that a record adds to the counts.
struct CountedRecord: Sendable {
    let unfinished: Int
    let bytes: Int
    let app: String
    /// nil for a beginner without a known address, and for a tombstone.
    let address: String?
    /// nil for a beginner that has no network.
    let network: String?
    /// The minute after which the amounts lapse: some time after the request is forgotten, and its answer gone.
    let minute: Int64

    init(_ stored: StoredRecord) {
        let record = stored.record
        unfinished = record.isFinished ? 0 : 1
        bytes = CountedBytes.of(record, packed: stored.size)
        app = record.app.text
        address = record.beginner.callerKey
        network = record.beginner.network
        // Whole steps, so that a count lists few minutes, and that the usual steps of a request move nothing.
        let step = Self.step(record.expiresAt - record.createdAt)
        minute = (Self.minute(of: max(record.rememberedUntil, record.dueAt)) + 2 + step) / step * step
    }

    /// The least power of two, in minutes, that is as long as the lifetime of a request.
    private static func step(_ lifetime: Duration) -> Int64 {
        let minutes = min(max(lifetime.wholeMilliseconds / 60_000, 1), 1 << 20)
        return minutes == 1 ? 1 : 1 << (64 - (minutes - 1).leadingZeroBitCount)
    }

    static func minute(of time: Timestamp) -> Int64 { max(time.seconds / 60, 0) }
}

/// A change of the counts by one step: the amounts of the record before it and after it, and the counts that they are in.
struct CountChange: Sendable {
    /// The letters begin the names of the counts.
    enum Kind: String, Sendable {
        case all
        case app = "a"
        case address = "i"
        case network = "w"
    }

    /// A count that has the record before the change, or after it.
    private struct Field: Sendable {
        let kind: Kind
        let name: [UInt8]
        /// nil for unlimited.
        var unfinished: Int?
        var bytes: Int?
        let isBefore: Bool
        let isAfter: Bool

        /// 1 for before, 2 for after, 3 for both.
        var sides: Int { (isBefore ? 1 : 0) + (isAfter ? 2 : 0) }
    }

    private let before: CountedRecord?
    private let after: CountedRecord?
    /// In the order in which limits are checked. Empty if the step moves no amount.
    private let fields: [Field]

    /// - Parameters:
    ///   - old: nil for a new request.
    ///   - new: nil for one that goes.
    ///   - limits: nil for a change that is always taken.
    init(from old: CountedRecord?, to new: CountedRecord?, _ limits: CountLimits?) {
        (before, after) = (old, new)
        let isUnmoved =
            old?.unfinished == new?.unfinished && old?.bytes == new?.bytes && old?.minute == new?.minute
            && (old?.address == nil) == (new?.address == nil)
        fields = isUnmoved ? [] : Self.fields(old, new, limits)
    }

    private init(before: CountedRecord?, after: CountedRecord?, fields: [Field]) {
        (self.before, self.after, self.fields) = (before, after, fields)
    }

    private static func fields(_ old: CountedRecord?, _ new: CountedRecord?, _ limits: CountLimits?) -> [Field] {
        var fields: [Field] = []
        fields.reserveCapacity(4)
        func add(_ kind: Kind, _ text: String?, _ unfinished: Int?, _ bytes: Int?, _ has: (CountedRecord) -> Bool) {
            guard let text else { return }
            let name = kind == .all ? Array("all".utf8) : Self.name(kind, text)
            fields.append(
                Field(
                    kind: kind, name: name, unfinished: unfinished, bytes: bytes, isBefore: old.map(has) ?? false,
                    isAfter: new.map(has) ?? false))
        }
        add(.app, (new ?? old)?.app, limits?.perApp, nil) { _ in true }
        add(.address, old?.address ?? new?.address, limits?.perAddress, limits?.bytesPerAddress) { $0.address != nil }
        add(.network, old?.network ?? new?.network, limits?.perNetwork, limits?.bytesPerNetwork) { $0.network != nil }
        add(.all, "", limits?.total, limits?.bytes) { _ in true }
        // For a new request, the total is checked first; for a growing one, its own address.
        return old == nil ? Array(fields.suffix(1) + fields.dropLast()) : fields
    }

    private static func name(_ kind: Kind, _ text: String) -> [UInt8] {
        var name = Array("\(kind.rawValue):".utf8)
        Base64URL.append(ShortDigest(SHA256Digest(of: text)).bytes, to: &name)
        return name
    }

    /// Whether the step moves no amount.
    var isNothing: Bool { fields.isEmpty }

    /// The change that takes it back.
    var reversed: CountChange {
        CountChange(
            before: after, after: before,
            fields: fields.map { Field(kind: $0.kind, name: $0.name, isBefore: $0.isAfter, isAfter: $0.isBefore) })
    }

    /// The space that ``append(to:at:)`` takes.
    var argumentCount: Int { isNothing ? 0 : 2 + fields.count }

    /// Appends it as `count` in ``CountScripts/functions`` reads it: the amounts, the limits and sides of all counts,
    /// then the names of the counts. Empty for a change that moves no count.
    func append(to arguments: inout RedisArguments, at minute: Int64) {
        guard !isNothing else { return }
        arguments.append { bytes in
            for minute in [minute, before?.minute ?? minute, after?.minute ?? minute] {
                Self.write(Int(minute), 4, to: &bytes)
            }
            for record in [before, after] {
                Self.write(record?.unfinished ?? 0, 4, to: &bytes)
                Self.write(record?.bytes ?? 0, 6, to: &bytes)
                Self.write(record == nil ? 0 : 1, 4, to: &bytes)
            }
        }
        arguments.append { bytes in
            for field in fields {
                for (limit, size) in [(field.unfinished, 4), (field.bytes, 6)] {
                    // One more than the limit, because 0 is for none. The largest number that fits is beyond any real count.
                    Self.write(limit.map { max($0, 0) &+ 1 } ?? 0, size, to: &bytes)
                }
                Self.write(field.sides, 1, to: &bytes)
            }
        }
        for field in fields { arguments.append(field.name) }
    }

    /// Writes a number of 0 or more in so many bytes, the highest first. A larger one becomes the largest that fits.
    private static func write(_ number: Int, _ size: Int, to bytes: inout [UInt8]) {
        let most = 1 << (8 * size) - 1
        let number = number < 0 ? most : min(number, most)
        for place in stride(from: 8 * (size - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> place))
        }
    }

    /// The refusal that belongs to a limit without room.
    /// - Parameter full: the answer of `count`: twice the place of the count, and one less for unfinished requests.
    /// - Returns: nil if the number belongs to no limit.
    func refusal(_ full: Int64) -> InsertionRefusal? {
        guard full > 0, full <= fields.count * 2 else { return nil }
        return switch (fields[Int(full - 1) / 2].kind, full % 2) {
        case (.all, 1): .tooMany
        case (.all, _): .tooManyBytes
        case (.app, _): .tooManyForApp
        case (.address, 1): .tooManyForAddress
        case (.address, _): .tooManyBytesForAddress
        case (.network, 1): .tooManyForNetwork
        case (.network, _): .tooManyBytesForNetwork
        }
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

    /// For a new request.
    static func insertion(of record: RequestRecord, within quota: RequestQuota) -> CountLimits {
        let isAuthenticated = record.beginner.isAuthenticated
        return CountLimits(
            total: RequestQuota.part(ofTotalLimit: quota.total, isAuthenticated: isAuthenticated),
            bytes: RequestQuota.part(ofTotalLimit: quota.bytes, isAuthenticated: isAuthenticated),
            perApp: quota.perApp, perAddress: quota.perAddress, bytesPerAddress: quota.bytesPerAddress,
            perNetwork: RequestQuota.part(ofNetworkLimit: quota.perNetwork, isAuthenticated: isAuthenticated),
            bytesPerNetwork: RequestQuota.part(ofNetworkLimit: quota.bytesPerNetwork, isAuthenticated: isAuthenticated))
    }

    /// For a step that asks for room.
    static func growth(of record: RequestRecord, within quota: RequestQuota) -> CountLimits {
        let isAuthenticated = record.beginner.isAuthenticated
        return CountLimits(
            bytes: RequestQuota.part(ofTotalLimit: quota.bytes, isAuthenticated: isAuthenticated),
            bytesPerAddress: quota.bytesPerAddress,
            bytesPerNetwork: RequestQuota.part(ofNetworkLimit: quota.bytesPerNetwork, isAuthenticated: isAuthenticated))
    }
}

extension StoreUsage {
    /// In bytes; ``CountScripts`` says what is in it.
    private static let amountLength = 18

    /// Reads the count of all requests.
    /// - Throws: ``StoreError`` for an answer that is no text.
    init(count answer: RedisValue) throws(StoreError) {
        if case .null = answer {
            self.init(pending: 0, requests: 0, bytes: 0)
            return
        }
        guard let bytes = answer.bytes else { throw .unexpectedAnswer(to: "HGET") }
        // A writer can put any number there.
        var sums = [0, 0, 0]
        for start in stride(from: 0, through: bytes.count - Self.amountLength, by: Self.amountLength) {
            var place = start + 4
            for (index, size) in [4, 6, 4].enumerated() {
                let number = bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
                let (sum, overflows) = sums[index].addingReportingOverflow(number)
                sums[index] = overflows ? .max : sum
                place += size
            }
        }
        self.init(pending: sums[0], requests: sums[2], bytes: sums[1])
    }
}
