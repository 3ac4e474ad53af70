internal import SwitchyardText

/// Compares a redirect URI with the two forms that MSAL's brokers accept for an app with a bundle ID: `msauth.{bundle
/// ID}://auth` and, from the time before MSAL, `{scheme}://{bundle ID}`.
///
/// The order of the questions is MSAL's. It differs where MSAL gives a wrong or misleading answer: http and https never
/// match, the scheme has no case, a match must be complete, and `msauthfoo:` is not taken for MSAL's scheme.
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
        let bytes = text.utf8.span
        let colon = position(in: bytes) { $0 == UInt8(ascii: ":") }
        guard colon > 0, colon < bytes.count else { return .schemeMissing }
        let scheme = bytes.extracting(0..<colon)
        if ASCII.equalIgnoringCase(scheme, "http") || ASCII.equalIgnoringCase(scheme, "https") {
            return .httpNotSupported
        }
        let hostRange = host(in: bytes, behind: colon)
        let host = bytes.extracting(hostRange)
        let hasTail = hostRange.upperBound < bytes.count
        if !hasTail, isEqual(host, bundleID) { return .matched }
        let dot = position(in: scheme) { $0 == UInt8(ascii: ".") }
        guard ASCII.equalIgnoringCase(scheme.extracting(0..<dot), "msauth") else {
            return host.isEmpty ? .hostMissing : .unknown
        }
        if !isEqual(host, "auth") { return .authHostMissing }
        guard dot < scheme.count,
            ASCII.equalIgnoringCase(scheme.extracting((dot + 1)..<scheme.count), bundleID)
        else { return .bundleIDMismatched }
        return hasTail ? .trailingText : .matched
    }

    /// The part between `//` and the next delimiter; empty without `//`.
    private static func host(in bytes: Span<UInt8>, behind colon: Int) -> Range<Int> {
        let slash = UInt8(ascii: "/")
        guard bytes.count > colon + 2, bytes[colon + 1] == slash, bytes[colon + 2] == slash else {
            return (colon + 1)..<(colon + 1)
        }
        let end = position(in: bytes, from: colon + 3) { byte in
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
            default: false
            }
        }
        return (colon + 3)..<end
    }

    /// The position of the first matching byte; behind the last one without a match.
    private static func position(in bytes: Span<UInt8>, from start: Int = 0, _ isIt: (UInt8) -> Bool) -> Int {
        var position = start
        while position < bytes.count, !isIt(bytes[position]) { position += 1 }
        return position
    }

    private static func isEqual(_ bytes: Span<UInt8>, _ text: String) -> Bool {
        let other = text.utf8.span
        guard bytes.count == other.count else { return false }
        for index in other.indices where bytes[index] != other[index] { return false }
        return true
    }

    /// The fault, as the end of a sentence that begins with the URI; nil without a fault.
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
