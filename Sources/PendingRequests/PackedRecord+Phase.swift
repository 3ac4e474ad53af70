internal import SwitchyardOAuth

/// The phase of a record as bytes, at the end of the record: a kind, and the fields of that phase.
extension RequestRecord {
    func write(_ phase: Phase, to writer: inout PackedWriter) {
        switch phase {
        case .pending: writer.byte(0)
        case .claimed(let claim):
            writer.byte(1)
            write(claim, to: &writer)
        case .redeeming(let claim):
            writer.byte(2)
            write(claim, to: &writer)
        case .releaseRequired(let held):
            writer.byte(held.proof == .code ? 3 : 4)
            writer.number(UInt64(clamping: held.attemptsLeft))
            writer.time(held.until, since: createdAt)
            writer.sized(held.sealed)
        case .finished(let outcome):
            writer.byte(5)
            write(outcome, to: &writer)
        }
    }

    static func phase(
        from reader: inout PackedReader, since createdAt: Timestamp
    ) throws(PackedRecordError) -> Phase {
        switch try reader.byte() {
        case 0: return .pending
        case 1: return .claimed(try claim(from: &reader, since: createdAt))
        case 2: return .redeeming(try claim(from: &reader, since: createdAt))
        case let kind where kind == 3 || kind == 4:
            guard let attempts = Int(exactly: try reader.number()) else { throw .malformed }
            let until = try reader.time(since: createdAt)
            return .releaseRequired(
                Held(proof: kind == 3 ? .code : .ticket, sealed: try reader.sized(), until: until, attempts: attempts))
        case 5: return .finished(try outcome(from: &reader, since: createdAt))
        default: throw .malformed
        }
    }

    /// An unused number behind each claim. Databases of earlier versions have it, so the form stays.
    private static let afterClaim: UInt64 = 0

    private func write(_ claim: Claim, to writer: inout PackedWriter) {
        writer.fixed(claim.claimant)
        writer.time(claim.lease, since: createdAt)
        writer.number(Self.afterClaim)
    }

    private static func claim(
        from reader: inout PackedReader, since createdAt: Timestamp
    ) throws(PackedRecordError) -> Claim {
        let claimant = try reader.fixed()
        let lease = try reader.time(since: createdAt)
        guard try reader.number() == afterClaim else { throw .malformed }
        return Claim(claimant: claimant, lease: lease)
    }

    /// The outcome's yes-or-no fields stand in one byte.
    private func write(_ outcome: Outcome, to writer: inout PackedWriter) {
        let bits =
            (outcome.isCollectable ? 1 : 0) | (outcome.firstReadAt == nil ? 0 : 2)
            | (outcome.isAcknowledged ? 4 : 0) | (outcome.answer.isImplied ? 0 : 8)
        writer.byte(UInt8(bits))
        switch outcome.kind {
        case .completed: writer.byte(0)
        case .errorResponse(let code):
            writer.byte(1)
            writer.text(code.rawValue)
        case .failed(let code):
            writer.byte(2)
            writer.text(code.rawValue)
        case .canceled: writer.byte(3)
        case .expired: writer.byte(4)
        case .denied: writer.byte(5)
        case .misproved: writer.byte(6)
        case .heldTooLong: writer.byte(7)
        case .passedOn: writer.byte(8)
        }
        writer.time(outcome.finishedAt, since: createdAt)
        writer.time(outcome.discardAt, since: outcome.finishedAt)
        if let firstReadAt = outcome.firstReadAt { writer.time(firstReadAt, since: outcome.finishedAt) }
        if outcome.isCollectable { writer.sized(outcome.sealedAnswer ?? []) }
    }

    /// Reads the code of a failure. An unknown code comes from a later version; the sealed answer has it unchanged.
    private static func code(from reader: inout PackedReader) throws(PackedRecordError) -> SignInFailure.Code {
        SignInFailure.Code(rawValue: try reader.text()) ?? .internal
    }

    private static func outcome(
        from reader: inout PackedReader, since createdAt: Timestamp
    ) throws(PackedRecordError) -> Outcome {
        let bits = try reader.byte()
        guard bits < 16 else { throw .malformed }
        let kind: Outcome.Kind
        switch try reader.byte() {
        case 0: kind = .completed
        case 1: kind = .errorResponse(error: try code(from: &reader))
        case 2: kind = .failed(try code(from: &reader))
        case 3: kind = .canceled
        case 4: kind = .expired
        case 5: kind = .denied
        case 6: kind = .misproved
        case 7: kind = .heldTooLong
        case 8: kind = .passedOn
        default: throw .malformed
        }
        let finishedAt = try reader.time(since: createdAt)
        let discardAt = try reader.time(since: finishedAt)
        let firstReadAt = try bits & 2 != 0 ? reader.time(since: finishedAt) : nil
        let sealed = try bits & 1 != 0 ? reader.sized() : nil
        let isImplied = bits & 8 == 0
        guard !isImplied || sealed?.isEmpty != false else { throw .malformed }
        let answer: Outcome.Answer =
            isImplied ? .implied(isAwaited: sealed != nil) : sealed.map { .sealed($0) } ?? .gone
        var outcome = Outcome(kind: kind, finishedAt: finishedAt, answer: answer, discardAt: discardAt)
        outcome.firstReadAt = firstReadAt
        outcome.isAcknowledged = bits & 4 != 0
        return outcome
    }
}

extension RequestRecord.Release {
    var packed: UInt8 {
        switch self {
        case .notNeeded: 0
        case .sameAddress: 1
        case .proved: 2
        }
    }

    init?(packed: UInt8) {
        switch packed {
        case 0: self = .notNeeded
        case 1: self = .sameAddress
        case 2: self = .proved
        default: return nil
        }
    }
}

extension RequestRecord.Outcome.Answer {
    fileprivate var isImplied: Bool { if case .implied = self { true } else { false } }
}
