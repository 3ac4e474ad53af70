public import SwitchyardTokenStorage

/// A private key of this user's, with which the app proves itself to its issuer (`private_key_jwt`). It is made here and
/// never leaves its place; the issuer gets the public half, by ``PublicClientApplication/clientKeySet()``.
///
/// The apps of one client ID share it.
public struct ClientKeyConfiguration: Sendable {
    /// The place of the key. By default the desktop's keyring, or an encrypted file on a desktop without one.
    public var place: StoragePlace
    /// A storage of the app's own instead of ``place``, for the key alone; it must meet the protocol's rules.
    public var storage: (any TokenStorage)?

    /// By default in the keyring, or in the file on a desktop without one.
    public init(place: StoragePlace = .automatic()) {
        self.place = place
    }
}
