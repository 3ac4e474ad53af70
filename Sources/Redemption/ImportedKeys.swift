internal import SwitchyardJOSE

/// The keys of an issuer in libcjose's hands, in the order of their set. Belongs to the thread of its redeemer.
struct ImportedKeys {
    let issuer: Issuer
    let version: Int
    /// nil for a key that libcjose cannot read.
    let keys: [JOSEKey?]
}
