internal import SwitchyardCSecret

extension KeyringConnection.CallError {
    /// Converts it to an error of the storage, with a remedy.
    func storageError(after timeout: Duration) -> TokenStorageError {
        let elsewhere = "or keep tokens in the encrypted file"
        return switch status {
        case sy_keyring_unavailable:
            TokenStorageError(
                .unavailable, "there is no desktop keyring here: \(text)",
                remedy: "start a Secret Service such as gnome-keyring in this session, \(elsewhere)")
        case sy_keyring_missing:
            TokenStorageError(
                .unavailable, "the desktop keyring needs libsecret, which cannot be loaded: \(text)",
                remedy: "\(KeyringStorage.installation), \(elsewhere)")
        case sy_keyring_locked:
            TokenStorageError(
                .locked, "the desktop keyring is locked: \(text)", remedy: "unlock it, \(elsewhere)")
        case sy_keyring_denied:
            TokenStorageError(
                .denied, "the desktop keyring refused this process: \(text)",
                remedy: "run in the session of the same user, \(elsewhere)")
        case sy_keyring_timed_out:
            TokenStorageError(
                .unavailable, "the desktop keyring did not answer within \(timeout)",
                remedy: "see whether it waits for somebody or hangs, \(elsewhere)", isTimeOut: true)
        default:
            TokenStorageError(
                .io, "the desktop keyring failed: \(text)", remedy: "look at its log, \(elsewhere)")
        }
    }
}
