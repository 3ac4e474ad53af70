//! A token cache on a server or in a container: an encrypted file with the app's key.
//!
//! `head --bytes=32 /dev/urandom > KEY` makes one; `OwnKey KEY` uses it.

import Glibc
import SwitchyardClient

/// The 32 bytes of a file; nil for anything else.
func key(at path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 33)
    return read(file, &bytes, bytes.count) == 32 ? Array(bytes.prefix(32)) : nil
}

guard let path = CommandLine.arguments.dropFirst().first, let bytes = key(at: path) else {
    print("Give the path of a file with 32 random bytes.")
    exit(2)
}

var configuration = PublicClientApplicationConfiguration(
    clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail", redirectURI: "http://localhost")
// snippet.key
configuration.cache = TokenCacheConfiguration(place: .encryptedFile(.given(bytes: bytes)))
// snippet.end

do throws(AuthenticationError) {
    let accounts = try await PublicClientApplication(configuration: configuration).accounts()
    print("Accounts in the cache: \(accounts.count)")
} catch {
    print("\(error)\n\(error.remedy)")
}
