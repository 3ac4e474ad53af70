public import SwitchyardCrypto

/// What an encrypted file is encrypted with.
public enum EncryptedFileKey: Sendable {
    /// 32 random bytes that the app keeps somewhere itself, and gives each time. Needed in containers, where the kernel
    /// keyring is mostly forbidden, and for a directory that several machines share.
    case given(Secret)

    /// A random key in this user's keyring in the kernel's memory, never on a disk. All processes of the user find it, and
    /// it outlives them.
    ///
    /// A restart of the machine forgets it: then the document cannot be opened, `read` and `update` say `corrupt`, and
    /// after ``TokenStorage/setAside()`` the user signs in again.
    case kernelKeyring

    /// ``given(_:)``, with the bytes as they are.
    public static func given(bytes: [UInt8]) -> EncryptedFileKey { .given(Secret(bytes)) }
}
