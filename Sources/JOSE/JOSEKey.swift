internal import SwitchyardCJOSE

/// A key in libcjose's hands. Belongs to the thread that made it: libcjose counts its references without locks.
@safe
final class JOSEKey {
    private let handle: OpaquePointer

    /// Reads a JWK (RFC 7517) with exactly the members that a key needs; nil when libcjose cannot, or when the key's
    /// point is not on its curve.
    init?(jwk: [UInt8]) {
        guard Padding.isAbsent(inJWK: jwk) else { return nil }
        var error = unsafe cjose_err()
        let imported = unsafe jwk.withUnsafeBytes { bytes in
            unsafe cjose_jwk_import(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, &error)
        }
        guard let handle = unsafe imported else { return nil }
        unsafe self.handle = unsafe handle
    }

    /// Takes over a key that libcjose has made.
    init(adopting handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
    }

    /// Lends the key for one call. Without this it might be released while libcjose works with it.
    func lend<Value>(_ body: (OpaquePointer) -> Value) -> Value {
        unsafe body(handle)
    }

    deinit {
        unsafe cjose_jwk_release(handle)
    }

    /// Whether the JWS in compact serialization is signed with this key, by the algorithm that its header names. That
    /// algorithm fits the key: the caller has seen to it.
    func verifies(_ compact: String) -> Bool {
        guard Padding.isAbsent(in: compact) else { return false }
        var compact = compact
        // libcjose writes to the error of some calls without asking whether there is one.
        var error = unsafe cjose_err()
        return compact.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                let jws = unsafe cjose_jws_import(text.baseAddress, text.count, &error)
                guard let jws = unsafe jws else { return false }
                defer { unsafe cjose_jws_release(jws) }
                return unsafe cjose_jws_verify(jws, handle, &error)
            }
        }
    }
}

/// Keeps padding away from libcjose: its base64 decoder ends the process (an assertion) when a `=` follows the first
/// character of a group of four. The texts that it is given here never need one (RFC 7515 section 2).
enum Padding {
    private static let sign = UInt8(ascii: "=")

    /// Whether a compact serialization may be given to libcjose.
    static func isAbsent(in compact: String) -> Bool {
        let bytes = compact.utf8.span
        // Without a branch: a loop that looks at everything takes many bytes at a time.
        var found: UInt8 = 0
        for index in 0..<bytes.count { found |= bytes[index] == sign ? 1 : 0 }
        return found == 0
    }

    /// Whether the JSON text of a JWK may be. An escape could hide a padding character, and no member of
    /// a key needs one.
    static func isAbsent(inJWK text: [UInt8]) -> Bool {
        !text.contains { $0 == sign || $0 == UInt8(ascii: "\\") }
    }
}
