internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardCrypto
internal import SwitchyardFiles

/// Keys of 32 bytes in this user's keyring in the kernel (user-keyring(7)).
enum KernelKeyring {
    /// The key with this description; nil if it is missing or has expired.
    static func find(_ description: String) throws(TokenStorageError) -> Secret? {
        try holding { () throws(TokenStorageError) in try search(description) }
    }

    /// The key with this description, or a new one. The caller prevents others from adding one meanwhile.
    static func findOrAdd(_ description: String) throws(TokenStorageError) -> Secret {
        try holding { () throws(TokenStorageError) in
            if let key = try search(description) { return key }
            let key = Secret(Random.bytes(32))
            let bytes = key.exposedBytes
            guard unsafe sy_key_add(description, bytes, bytes.count) >= 0 else { throw refused(errno) }
            return key
        }
    }

    /// Throws `unavailable` where the kernel keyring cannot be used.
    static func check() throws(TokenStorageError) {
        _ = try find("switchyard tokens")
    }

    private static func search(_ description: String) throws(TokenStorageError) -> Secret? {
        let number = unsafe sy_key_find(description)
        guard number >= 0 else {
            let code = errno
            if [ENOKEY, EKEYEXPIRED, EKEYREVOKED].contains(code) { return nil }
            throw refused(code)
        }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe sy_key_read(number, $0, 32) } ?? -1
        }
        guard count >= 0 else { throw refused(errno) }
        return count == 32 ? Secret(bytes) : nil
    }

    private static func holding<Value>(
        _ body: () throws(TokenStorageError) -> Value
    ) throws(TokenStorageError) -> Value {
        guard sy_keys_hold() == 0 else { throw refused(errno) }
        defer { sy_keys_release() }
        return try body()
    }

    private static func refused(_ code: Int32) -> TokenStorageError {
        TokenStorageError(
            .unavailable, "the kernel keyring cannot be used: \(FileError.system(code).reason)",
            remedy: "give a key of 32 bytes; most containers forbid the kernel keyring")
    }
}
