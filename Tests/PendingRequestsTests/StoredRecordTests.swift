import SwitchyardCrypto
import SwitchyardRedis
import Testing

@testable import SwitchyardPendingRequests
@testable import SwitchyardRedisStore

/// A record as a store has it that others may write into.
@Suite("Stored record") struct StoredRecordTests {
    private static let keys = KeyRing.ephemeral()

    @Test("a record reads back whole, whatever its phase")
    func roundTrip() throws {
        for record in PackedRecordTests.all {
            let made = StoredRecord(record, version: 7, keys: Self.keys)
            let read = try StoredRecord(value: made.value, keys: Self.keys)
            #expect(read.record == record && read.value == made.value && read.size == record.packed.count)
            #expect(made.head == [0, 0, 0, 0, 0, 0, 0, 7])
        }
    }

    @Test("a record with any changed byte is not used; only the version may be another")
    func changed() throws {
        for record in PackedRecordTests.all {
            let value = StoredRecord(record, version: 7, keys: Self.keys).value
            for index in value.indices {
                var changed = value
                changed[index] ^= 1 << UInt8(index % 8)
                if index < 8 {
                    #expect(try StoredRecord(value: changed, keys: Self.keys).record == record)
                } else {
                    #expect(throws: UnusableRecordError.self, "byte \(index)") {
                        try StoredRecord(value: changed, keys: Self.keys)
                    }
                }
            }
        }
    }

    @Test("half a record is not used")
    func length() {
        let value = StoredRecord(.full(), version: 7, keys: Self.keys).value
        for count in 0..<value.count {
            #expect(throws: UnusableRecordError.self) {
                try StoredRecord(value: Array(value[..<count]), keys: Self.keys)
            }
        }
    }

    @Test("a record as an earlier program wrote it is not used")
    func notSigned() {
        for record in PackedRecordTests.all {
            #expect(throws: UnusableRecordError.notSigned) {
                try StoredRecord(value: [UInt8](repeating: 0, count: 8) + record.packed, keys: Self.keys)
            }
        }
    }

    @Test("a record of other keys is told from one that was changed")
    func otherKeys() throws {
        let other = try #require(KeyRing.Key(id: "other", secret: Secret(Random.bytes(32))))
        let value = StoredRecord(.full(), version: 7, keys: KeyRing([other], last: .ephemeral())).value
        #expect(throws: UnusableRecordError.unknownKey(id: "other")) { try StoredRecord(value: value, keys: Self.keys) }
    }

    @Test("the form of a later program is told from a record that was changed")
    func newer() {
        var value = StoredRecord(.full(), version: 7, keys: Self.keys).value
        value[8] += 1
        #expect(throws: UnusableRecordError.newerVersion(129)) { try StoredRecord(value: value, keys: Self.keys) }
    }

    @Test("an answer of Redis that is no count names its command")
    func unexpectedAnswer() {
        let error = #expect(throws: StoreError.self) { try StoreUsage(count: .integer(1)) }
        #expect(error?.description.hasPrefix("Redis gave an unexpected answer to HGET;") == true)
    }
}
