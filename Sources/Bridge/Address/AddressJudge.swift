internal import SwitchyardOAuth
public import SwitchyardRouting
internal import SwitchyardText

/// The judgement of an address that a far machine wants opened.
public enum AddressVerdict: Hashable, Sendable {
    /// It can be brought home.
    case signIn(SignInAddress)
    /// A page of a tool on the far machine's own loopback. It may lead to a sign-in.
    case localPage(LocalPage)
    /// Another https address.
    case link(String, Objection)
    /// An address that may not be opened at all.
    case refused(Objection)

    /// Whether it counts also where it was merely seen among other text.
    public var isOfSignIn: Bool {
        switch self {
        case .signIn: true
        case .link(_, let objection): objection.isOfSignIn
        case .localPage, .refused: false
        }
    }
}

/// A page on the far machine's loopback.
public struct LocalPage: Hashable, Sendable {
    public let endpoint: LoopbackEndpoint
    /// Behind the `?`, undecoded; nil without one.
    public let query: String?

    public var target: String { endpoint.path + (query.map { "?\($0)" } ?? "") }
}

/// An authorization request of a tool that waits on loopback (RFC 6749 section 4.1.1, RFC 8252 section 7.3).
public struct SignInAddress: Hashable, Sendable {
    /// Whole, as it was given.
    public let url: String
    /// Host of the issuer, and its port where that is not 443.
    public let issuerHost: String
    /// Path of the page at the issuer, as it is written.
    public let issuerPath: String
    public let clientID: String
    /// The requested scopes, verbatim; empty if absent.
    public let scope: String
    /// The services that the access is for (RFC 8707, and `audience` of some issuers).
    public let resources: [String]
    /// The parameter (RFC 9396), verbatim; empty if absent.
    public let authorizationDetails: String
    /// The parameter, verbatim; empty if absent.
    public let prompt: String
    public let state: String
    public let redirectURI: LoopbackEndpoint
    /// Whether the answer comes as a form (OAuth 2.0 Form Post Response Mode).
    public let isFormPost: Bool
}

/// Tells authorization requests from everything else. The address comes from a machine that may be hostile.
public enum AddressJudge {
    /// The longest address that is looked at.
    public static let maximumBytes = 8192

    /// Judges any text as an address. Without I/O.
    public static func judge(_ text: String) -> AddressVerdict {
        do throws(Objection) {
            let bytes = Array(text.utf8)
            guard bytes.count <= maximumBytes else { throw .tooLong }
            // A terminal, a browser and an issuer would read other bytes differently.
            guard bytes.allSatisfy({ (0x21..<0x7F).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }) else {
                throw .malformed
            }
            let scheme = text.prefix { $0 != ":" }.asciiLowercased
            if scheme == "http" { return .localPage(try localPage(text)) }
            guard scheme == "https" else { throw .notHTTPS }
            return try judgeSecure(text)
        } catch {
            return .refused(error)
        }
    }

    /// The endpoint at which the program of a sign-in's address waits, even if the address cannot be followed; nil if
    /// it names no endpoint.
    public static func redirectEndpoint(of url: String) -> LoopbackEndpoint? {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        guard let redirectURI = (try? RequestParameters(query: Array(query.utf8)))?["redirect_uri"] else { return nil }
        return try? LoopbackEndpoint(String(redirectURI.prefix { $0 != "?" }))
    }

    /// Whether the host of an https address is of this machine or its network; nil for one of the public internet.
    public static func specialUse(of url: String) -> SpecialUse? {
        let authority = url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : nil
        let host = end.map { authority[...$0] } ?? authority.prefix { $0 != ":" }
        return SpecialUse(ofHost: host)
    }

    private static func localPage(_ text: String) throws(Objection) -> LocalPage {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard !text.contains("#"), let endpoint = try? LoopbackEndpoint(String(parts[0])) else { throw .notHTTPS }
        return LocalPage(endpoint: endpoint, query: parts.count == 2 ? String(parts[1]) : nil)
    }

    private static func judgeSecure(_ text: String) throws(Objection) -> AddressVerdict {
        // A fragment never reaches the issuer.
        let address = String(text.prefix { $0 != "#" })
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count > 0, let host = host(of: parts[0]) else { throw .malformed }
        guard (try? EndpointURL(address, allowingLoopbackHTTP: false)) != nil else { throw .malformed }
        do throws(Objection) {
            guard parts.count == 2 else { throw .notAuthorizationRequest }
            let query = Array(parts[1].utf8)
            guard !isSAML(query) else { throw .saml }
            let signIn = try signIn(text, host, query: query)
            guard address == text else { throw .fragment }
            guard !parts[0].contains(";"), !parts[0].contains("%00") else { throw .oddSeparator }
            return .signIn(signIn)
        } catch {
            return .link(text, error)
        }
    }

    /// Host and port as they are written, without the port that goes without saying.
    private static func host(of base: Substring) -> String? {
        let authority = base.dropFirst("https://".count).prefix { $0 != "/" }.asciiLowercased
        guard !authority.isEmpty else { return nil }
        return authority.hasSuffix(":443") ? String(authority.dropLast(4)) : authority
    }

    /// The path, verbatim; `/` if it is empty, as in a browser's request.
    private static func path(of url: String) -> String {
        let rest = url.dropFirst("https://".count)
        let path = rest.prefix { $0 != "?" }.drop { $0 != "/" }
        return path.isEmpty ? "/" : String(path)
    }

    /// The HTTP redirect binding of SAML 2.0 (section 3.4.4.1 of its bindings).
    private static func isSAML(_ query: [UInt8]) -> Bool {
        query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "SAMLRequest=".utf8) }
    }

    private static func signIn(_ url: String, _ host: String, query: [UInt8]) throws(Objection) -> SignInAddress {
        let parameters = try RequestParameters(query: query)
        guard !parameters.has("request_uri") else { throw .pushedRequest }
        guard !parameters.has("request") else { throw .requestObject }
        guard let state = parameters["state"], !state.isEmpty else { throw .noState }
        guard let clientID = parameters["client_id"], !clientID.isEmpty,
            let type = parameters["response_type"], !type.isEmpty
        else { throw .notAuthorizationRequest }
        guard let redirectURI = parameters["redirect_uri"] else { throw .noRedirectURI }
        // A query in the redirect URI comes back with the callback's query (RFC 6749 section 3.1.2).
        guard !redirectURI.contains("#") else { throw .redirectMalformed }
        let endpoint = try LoopbackEndpoint(String(redirectURI.prefix { $0 != "?" }))
        return SignInAddress(
            url: url, issuerHost: host, issuerPath: path(of: url), clientID: clientID,
            scope: parameters["scope"] ?? "", resources: parameters.all("resource") + parameters.all("audience"),
            authorizationDetails: parameters["authorization_details"] ?? "", prompt: parameters["prompt"] ?? "",
            state: state, redirectURI: endpoint,
            isFormPost: try isFormPost(type, mode: parameters["response_mode"]))
    }

    private static func isFormPost(_ type: String, mode: String?) throws(Objection) -> Bool {
        guard let mode else {
            // By default, a response with a token comes in a fragment (OAuth 2.0 Multiple Response Type Encoding
            // section 3).
            let inFragment = type.split(separator: " ").contains { $0 == "token" || $0 == "id_token" }
            guard !inFragment else { throw .answerInFragment }
            return false
        }
        // The issuer refuses an unknown mode, or uses its default.
        guard let known = ResponseMode(rawValue: mode) else {
            guard !mode.hasSuffix("jwt") else { throw .signedAnswer }
            return false
        }
        guard !known.isSigned else { throw .signedAnswer }
        switch known.carrier {
        case .query: return false
        case .form: return true
        case .fragment: throw .answerInFragment
        }
    }
}
