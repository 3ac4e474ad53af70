internal import SwitchyardCJOSE

/// The protected header of a JWS or JWE in the making.
@safe
final class JOSEHeader {
    private let handle: UnsafeMutablePointer<cjose_header_t>

    /// nil when memory is short.
    init?(_ members: [(name: String, value: String)]) {
        guard let header = unsafe cjose_header_new(nil) else { return nil }
        unsafe self.handle = unsafe header
        for member in members {
            guard unsafe cjose_header_set(header, member.name, member.value, nil) else { return nil }
        }
    }

    /// Adds a member that is JSON itself.
    func set(_ name: String, json: String) -> Bool {
        unsafe cjose_header_set_raw(handle, name, json, nil)
    }

    /// Lends the header for one call.
    func lend<Value>(_ body: (UnsafeMutablePointer<cjose_header_t>) -> Value) -> Value {
        unsafe body(handle)
    }

    deinit {
        unsafe cjose_header_release(handle)
    }
}
