import SwitchyardCrypto
import SwitchyardOAuth
import Testing

@testable import SwitchyardPendingRequests

@Suite("Packed record") struct PackedRecordTests {
    /// Records in every phase, with all fields and with none.
    static var all: [RequestRecord] {
        var records: [RequestRecord] = []
        for start in Walk.starts.keys.sorted() {
            for begun in [RequestRecord.sample(), .full()] {
                guard let record = Walk.record(at: start, from: begun) else { continue }
                records.append(record)
            }
        }
        var special = RequestRecord.full()
        special.phase = .releaseRequired(.init(proof: .ticket, sealed: [9], until: .at(300), attempts: 3))
        special.callback = .init(fingerprint: SHA256Digest(of: "f"), browserHash: nil)
        special.release = .sameAddress
        special.isWatchedFromElsewhere = true
        special.parked = .init(sealed: [7, 7], until: .at(60))
        special.strayCodes = ["1", "2"].map { ShortDigest(SHA256Digest(of: $0)) }
        records.append(special)
        special.phase = .finished(
            .init(
                kind: .errorResponse(error: .accessDenied), finishedAt: .at(-5), answer: .sealed([]), discardAt: .at(-9)
            )
        )
        special.release = .proved
        records.append(special)
        return records
    }

    @Test("a record reads back whole, whatever its phase")
    func roundTrip() throws {
        #expect(Self.all.count > 2 * Walk.starts.count)
        for record in Self.all { #expect(try RequestRecord(packed: record.packed) == record) }
    }

    @Test("times of any distance read back, before the beginning too")
    func times() throws {
        for milliseconds in [Int64.min, -1, 0, 1, 1_795_000_000_000, .max] {
            var record = RequestRecord.sample()
            record.phase = .claimed(.init(claimant: .max, lease: Timestamp(milliseconds: milliseconds)))
            #expect(try RequestRecord(packed: record.packed) == record)
        }
    }

    @Test("a record with a time that there is none of is broken")
    func noSuchTime() {
        var record = RequestRecord.sample()
        record.phase = .claimed(.init(claimant: .max, lease: record.createdAt))
        let packed = record.packed
        // The lease's distance from the beginning is a zero before the last byte.
        #expect(packed.suffix(2) == [0, 0])
        for distance in [
            [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20],
        ] as [[UInt8]] {
            #expect(throws: PackedRecordError.malformed) {
                try RequestRecord(packed: packed.dropLast(2) + distance + [0])
            }
        }
    }

    @Test("a claim reads as a gateway from before kept it, and says nothing behind its lease")
    func claim() throws {
        var record = RequestRecord.sample()
        record.phase = .redeeming(.init(claimant: .max, lease: .at(60)))
        var packed = record.packed
        #expect(packed.last == 0)
        packed[packed.count - 1] = 1
        #expect(throws: PackedRecordError.malformed) { try RequestRecord(packed: packed) }
    }

    @Test("half a record is none, and nor is one with something behind it")
    func length() {
        for record in Self.all {
            let packed = record.packed
            for count in stride(from: 0, to: packed.count, by: 3) {
                #expect(throws: PackedRecordError.malformed) { try RequestRecord(packed: Array(packed[..<count])) }
            }
            #expect(throws: PackedRecordError.malformed) { try RequestRecord(packed: packed + [0]) }
        }
    }

    @Test("a record of a later program is told from one that is broken")
    func version() {
        var packed = RequestRecord.full().packed
        packed[0] += 3
        #expect(throws: PackedRecordError.newerVersion(packed[0])) { try RequestRecord(packed: packed) }
        packed[0] = 0
        #expect(throws: PackedRecordError.malformed) { try RequestRecord(packed: packed) }
    }

    @Test("only a record with a trace is of the version that knows traces")
    func traced() throws {
        var record = RequestRecord.full()
        #expect(record.packed[0] == 2)
        record.trace = nil
        #expect(record.packed[0] == 1)
    }

    @Test("only a record whose response was passed on is of the version that knows that", arguments: [true, false])
    func passedOn(isTraced: Bool) throws {
        var record = RequestRecord.full()
        if !isTraced { record.trace = nil }
        record.phase = .finished(
            .init(kind: .passedOn, finishedAt: .at(5), answer: .sealed([4]), discardAt: .at(9)))
        #expect(record.packed[0] == 3)
        #expect(try RequestRecord(packed: record.packed) == record)
    }

    @Test("bytes that read at all are the only bytes of their record")
    func canonical() {
        for record in Self.all {
            // Any text is read as a code.
            let code = record.code.flatMap { record.packed.firstRange(of: Array($0.rawValue.utf8)) }
            for position in record.packed.indices where code?.contains(position) != true {
                var packed = record.packed
                packed[position] ^= 1 << UInt8(position % 8)
                guard let other = try? RequestRecord(packed: packed) else { continue }
                #expect(other.packed == packed)
                #expect(other != record)
            }
        }
    }

    @Test("a failure's code that only a later program knows reads as internal, and the rest as it is")
    func unknownCode() throws {
        for kind in [RequestRecord.Outcome.Kind.failed(.throttled), .errorResponse(error: .throttled)] {
            var record = RequestRecord.full()
            record.phase = .finished(.init(kind: kind, finishedAt: .at(5), answer: .sealed([4]), discardAt: .at(9)))
            var packed = record.packed
            let range = try #require(packed.firstRange(of: Array("throttled".utf8)))
            packed.replaceSubrange(range, with: Array("postponed".utf8))
            let read = try RequestRecord(packed: packed)
            #expect(read.code == .internal)
            #expect(read.outcome?.sealedAnswer == [4] && read.outcome?.discardAt == .at(9))
        }
    }

    @Test("a length that the bytes do not have takes no memory")
    func lengths() {
        var packed = RequestRecord.sample().packed
        // The length of the app's name, behind version, flags, id, reference and state.
        let position = packed.count - packed.dropFirst(1 + 2 + 16 + 7 + 32).count
        packed.replaceSubrange(position...position, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
        #expect(throws: PackedRecordError.malformed) { try RequestRecord(packed: packed) }
    }

    @Test("a collected request takes 200 bytes at most")
    func tombstones() throws {
        for start in ["acknowledged", "expired", "abandoned", "held and forgotten"] {
            var record = try #require(Walk.record(at: start, from: .full()))
            // The part of an answer that follows from the kind may be read until then.
            try? record.apply(.age, at: .at(660))
            #expect(record.isTombstone)
            #expect(record.packed.count <= 200, "\(start): \(record.packed.count)")
        }
    }

    @Test("a tombstone knows its redirect URI again, and no other")
    func target() throws {
        let record = try #require(Walk.record(at: "acknowledged", from: .full()))
        #expect(record.redirectURI.isEmpty)
        // The port of a loopback address is the app's choice.
        for uri in ["http://127.0.0.1:49152/auth", "http://127.0.0.1:5/auth"] {
            let uri = try RedirectURI(uri)
            #expect(record.form(seenAs: uri) == uri.form)
            #expect(RequestRecord.full().form(seenAs: uri) == uri.form)
        }
        for uri in ["http://127.0.0.1:49152/other", "http://[::1]:49152/auth", "https://127.0.0.1:49152/auth"] {
            let uri = try RedirectURI(uri)
            #expect(record.form(seenAs: uri) == nil)
            #expect(RequestRecord.full().form(seenAs: uri) != uri.form)
        }
    }
}

extension RequestRecord {
    /// The failure's code with which it ended.
    fileprivate var code: SignInFailure.Code? {
        switch outcome?.kind {
        case .failed(let code), .errorResponse(let code): code
        default: nil
        }
    }
}
