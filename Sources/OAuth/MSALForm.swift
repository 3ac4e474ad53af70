internal import SwitchyardText

/// How a redirect URI stands to the two forms that MSAL's brokers accept for an app with a bundle ID:
/// `msauth.{bundle ID}://auth` and, from the time before MSAL, `{scheme}://{bundle ID}`.
///
/// The order of the questions is MSAL's. It differs where MSAL gives a wrong or misleading answer: http and https never
/// match, the scheme has no case, nothing may follow a match, and `msauthfoo:` is not taken for MSAL's scheme.
public enum MSALForm: Hashable, Sendable, CaseIterable {
    case matched
    case empty
    case httpNotSupported
    /// `msauth.…://auth` of another bundle ID.
    case bundleIDMismatched
    /// `msauth.{bundle ID}://auth` with something behind it.
    case trailingText
    /// MSAL's scheme without the host `auth`.
    case authHostMissing
    case schemeMissing
    case outOfBandNotSupported
    case hostMissing
    case unknown

    public init(of text: String, bundleID: String) {
        self = Self.form(of: text, bundleID: bundleID)
    }

    private static func form(of text: String, bundleID: String) -> MSALForm {
        if text.isEmpty { return .empty }
        if text == "urn:ietf:wg:oauth:2.0:oob" { return .outOfBandNotSupported }
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return .schemeMissing }
        let scheme = bytes[..<colon].map(ASCII.lowercased)
        if scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8) { return .httpNotSupported }
        let (host, tail) = hostAndTail(bytes[(colon + 1)...])
        if tail.isEmpty, host.elementsEqual(bundleID.utf8) { return .matched }
        let dot = scheme.firstIndex(of: UInt8(ascii: ".")) ?? scheme.endIndex
        guard scheme[..<dot].elementsEqual("msauth".utf8) else { return host.isEmpty ? .hostMissing : .unknown }
        if !host.elementsEqual("auth".utf8) { return .authHostMissing }
        guard dot < scheme.endIndex, scheme[(dot + 1)...].elementsEqual(bundleID.utf8.map(ASCII.lowercased)) else {
            return .bundleIDMismatched
        }
        return tail.isEmpty ? .matched : .trailingText
    }

    private static func hostAndTail(_ rest: ArraySlice<UInt8>) -> (host: ArraySlice<UInt8>, tail: ArraySlice<UInt8>) {
        guard rest.starts(with: "//".utf8) else { return ([], rest) }
        let authority = rest.dropFirst(2)
        let end = authority.firstIndex { "/:?#".utf8.contains($0) } ?? authority.endIndex
        return (authority[..<end], authority[end...])
    }

    /// What is wrong, as the end of a sentence that begins with the URI; nil when nothing is.
    public var message: String? {
        switch self {
        case .matched: nil
        case .empty: "is empty"
        case .httpNotSupported: "is a web address, which brokers do not accept"
        case .bundleIDMismatched: "has the form of MSAL but names another bundle ID"
        case .trailingText: "has something after its host"
        case .authHostMissing: "has the scheme of MSAL but not the host \"auth\""
        case .schemeMissing: "has no scheme"
        case .outOfBandNotSupported: "is the out-of-band form, which is no longer supported"
        case .hostMissing: "has no host"
        case .unknown: "has neither form that brokers accept"
        }
    }
}
