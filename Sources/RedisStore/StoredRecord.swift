internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// A record as Redis has it.
///
/// The value is `version (8) · form (1) · signed record`. The version differs after each write. The record is signed
/// with the key ring (``KeyRing/signing(_:)``): a writer without the keys can delete a record or put an earlier one
/// back, but changes no field. The version stands outside of the signature. It is only for scripts to compare.
final class StoredRecord: Sendable {
    let record: RequestRecord
    /// The bytes in Redis.
    let value: [UInt8]
    /// The length of the packed record.
    let size: Int

    /// The form of signed records. Earlier programs expect the packed record's own version here, and report this one as
    /// unknown.
    private static let signedForm: UInt8 = 128

    /// - Throws: ``UnusableRecordError``.
    init(value: [UInt8], keys: KeyRing) throws(UnusableRecordError) {
        guard value.count > 9 else { throw .notAuthentic }
        guard value[8] == Self.signedForm else {
            throw value[8] < Self.signedForm ? .notSigned : .newerVersion(value[8])
        }
        let packed: [UInt8]
        do throws(SealError) {
            packed = try keys.verifying(value[9...])
        } catch {
            switch error {
            case .unknownKey: throw .unknownKey(id: keys.missingKey(of: Array(value[9...])) ?? "")
            case .notAuthentic: throw .notAuthentic
            }
        }
        self.value = value
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

    /// A record to write.
    init(_ record: RequestRecord, version: UInt64, keys: KeyRing) {
        let packed = record.packed
        self.record = record
        value = [UInt8](upTo: 8) { version.appendBytes(to: &$0) } + [Self.signedForm] + keys.signing(packed)
        size = packed.count
    }

    /// The version's bytes. Each write makes a new one. So it says which write was the last, also to a writer that got no
    /// answer.
    var head: [UInt8] { Array(value.prefix(8)) }
}

/// The reason why the value of a record's key is not used.
enum UnusableRecordError: Error, Hashable {
    /// No gateway with these keys has written it, or it was changed since.
    case notAuthentic
    /// It has no signature: an earlier program, or an attacker, has written it.
    case notSigned
    /// Its key is not in the key ring.
    case unknownKey(id: String)
    case newerVersion(UInt8)
}
