import SwitchyardOAuth
import SwitchyardPendingRequests

/// A record as a store gives it back: a disk may have turned a bit, and another program may have written there.
enum PackedRecordTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let record = try? RequestRecord(packed: bytes) else { return }
        // A failure whose code a later program knows is read as an internal one, and kept as that.
        let hasOneForm = record.packed == bytes || record.outcome?.failure == .internal
        try require(hasOneForm, "a record has one packed form")
        try require((try? RequestRecord(packed: bytes + [0])) == nil, "nothing stands behind a record")
        var aged = record
        // Whatever stands in it, a step comes to an end and leaves what can be kept.
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
