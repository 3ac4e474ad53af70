public import SwitchyardJSON

extension JSONObject {
    /// Whether a document demands something by a member that is true or false. A value of another type is a demand too: an
    /// unknown demand is not an absent one. Some servers write the two as text.
    public func demands(_ name: String) -> Bool {
        switch self[name] {
        case nil, .null, .bool(false), .string("false"): false
        default: true
        }
    }
}
