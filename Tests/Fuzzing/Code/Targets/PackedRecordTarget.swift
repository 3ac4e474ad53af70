import SwitchyardOAuth
import SwitchyardPendingRequests

/// A record as a store gives it back: a disk may have turned a bit, and another program may have written there.
enum PackedRecordTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let record = try? RequestRecord(packed: bytes) else { return }
        // A failure with the code of a later version is read and kept as an internal one.
        let hasOneForm = record.packed == bytes || record.outcome?.failure == .internal
        try require(hasOneForm, "a record has one packed form")
        try require((try? RequestRecord(packed: bytes + [0])) == nil, "nothing stands behind a record")
        var aged = record
        // A step on any record ends, and leaves a record that can be stored.
        try? aged.apply(.age, at: record.dueAt)
        try require((try? RequestRecord(packed: aged.packed)) == aged, "what a step leaves reads back")
    }
}

extension RequestRecord.Outcome {
    fileprivate var failure: SignInFailure.Code? {
        switch kind {
        case .failed(let code), .errorResponse(let code): code
        default: nil
        }
    }
}
