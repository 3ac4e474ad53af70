internal import CJOSE

/// A key in libcjose's hands. Belongs to the thread that made it: libcjose counts its references without locks.
@safe
final class JOSEKey {
    private let handle: OpaquePointer

    /// nil when libcjose cannot read the key, or its point is not on its curve.
    init?(_ key: VerificationKey) {
        let text = unsafe key.jwk.withUnsafeBytes { bytes in
            unsafe cjose_jwk_import(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, nil)
        }
        guard let handle = unsafe text else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe cjose_jwk_release(handle)
    }

    /// Whether the JWS in compact serialization is signed with this key, by the algorithm that its header names. That
    /// algorithm fits the key: the caller has seen to it.
    func verifies(_ compact: String) -> Bool {
        var compact = compact
        return compact.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                let jws = unsafe cjose_jws_import(text.baseAddress, text.count, nil)
                guard let jws = unsafe jws else { return false }
                defer { unsafe cjose_jws_release(jws) }
                return unsafe cjose_jws_verify(jws, handle, nil)
            }
        }
    }
}
