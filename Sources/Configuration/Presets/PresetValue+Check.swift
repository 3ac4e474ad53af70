internal import SwitchyardOAuth
internal import SwitchyardText

extension PresetValue.Form {
    /// Whether a text has this form. It is put into addresses, so it must not change their meaning.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .name:
            text.utf8.count <= 256 && text.utf8.allSatisfy(Self.isOfName) && text != "." && text != ".."
        case .guid: GUID(text) != nil
        case .host: !text.contains("/") && Self.isAddress(text)
        case .address: !text.hasSuffix("/") && Self.isAddress(text)
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        !text.contains("?") && !text.contains("{")
            && (try? EndpointURL("https://\(text)", allowingLoopbackHTTP: false)) != nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ".-_".utf8.contains(byte)
    }
}
