public import SwitchyardCrypto
public import SwitchyardJOSE
internal import SwitchyardText

/// The parameters of a callback, in the shape of an authorization response (RFC 6749 section 4.1.2, RFC 9207).
///
/// Only the shape has been checked: the owner of the request checks state and issuer.
public struct AuthorizationResponse: Sendable {
    /// The issuer's answer.
    public enum Outcome: Sendable {
        case code(Secret)
        case error(AuthorizationError)
    }

    /// In bytes, query and content together.
    public static let maximumLength = 64 * 1024
    /// The state, of any length up to that of the callback. One that is longer than a request's belongs to no request,
    /// or to an app itself.
    public let state: Secret
    public let outcome: Outcome
    /// `iss` (RFC 9207); an empty one stays empty, so that it matches no issuer.
    public let issuer: String?
    /// The parameters under the names of the RFCs, in their order: the query's, then the content's.
    public let parameters: [FormField]

    /// Reads the query (without `?`) and, of a form_post, the content.
    /// - Parameter names: the provider's own names of parameters.
    /// - Throws: ``AuthorizationResponseError``. A refusal costs less than a good response.
    public static func parse(
        query: [UInt8], content: [UInt8]?, names: ParameterNames = ParameterNames()
    ) throws(AuthorizationResponseError) -> AuthorizationResponse {
        try AuthorizationResponse(names.standardized(fields(query: query, content: content), of: .callback))
    }

    static func fields(query: [UInt8], content: [UInt8]?) throws(AuthorizationResponseError) -> [FormField] {
        guard query.count + (content?.count ?? 0) <= maximumLength else { throw .tooLarge }
        var parameters = try decode(query)
        if let content { parameters += try decode(content) }
        return parameters
    }

    /// Query and content as one query, byte for byte, for a receiver that gets both in an address; they mean the same
    /// there.
    public static func joined(_ query: [UInt8], _ content: [UInt8]?) -> [UInt8] {
        guard let content, !content.isEmpty else { return query }
        return query.isEmpty ? content : query + [UInt8(ascii: "&")] + content
    }

    /// Whether a query looks like it were meant as a response: it names one of the parameters that make one. For a page
    /// that expects the response elsewhere.
    public static func isHinted(in query: [UInt8], names: ParameterNames = ParameterNames()) -> Bool {
        // An undecodable query was no harmless addition either.
        guard let fields = try? decode(query) else { return true }
        let standard = names.standardized(fields, of: .callback)
        return (fields + standard).contains { DecisiveParameters.names.contains($0.name) }
    }

    init(_ parameters: [FormField]) throws(AuthorizationResponseError) {
        let decisive = try DecisiveParameters(parameters)
        guard let state = decisive.state else { throw .missingState }
        switch (decisive.code, decisive.error) {
        case (let code?, nil): outcome = .code(Secret(code))
        case (nil, let error?): outcome = .error(AuthorizationError(error: error, parameters: parameters))
        case (nil, nil):
            guard let error = try AuthorizationError(namedOtherwise: parameters) else { throw .neitherCodeNorError }
            outcome = .error(error)
        case (_?, _?): throw .bothCodeAndError
        }
        self.state = Secret(state)
        issuer = decisive.issuer
        self.parameters = parameters
    }

    private static func decode(_ bytes: [UInt8]) throws(AuthorizationResponseError) -> [FormField] {
        do throws(FormEncodingError) {
            return try FormEncoding.decode(bytes)
        } catch {
            throw .malformed(error)
        }
    }
}

/// The parameters that decide the kind of a response, each at most once ("Request and response parameters MUST NOT be
/// included more than once", RFC 6749 section 3.1).
struct DecisiveParameters {
    static let names: Set<String> = ["state", "code", "error", "iss", "response", "id_token"]

    private(set) var state: String?
    private(set) var code: String?
    private(set) var error: String?
    private(set) var issuer: String?
    private(set) var response: String?
    private var idToken: String?

    /// Whether `response` comes without a parameter that would be a response of its own.
    var isResponseAlone: Bool { state == nil && code == nil && error == nil && issuer == nil && idToken == nil }

    init(_ parameters: [FormField]) throws(AuthorizationResponseError) {
        for parameter in parameters {
            switch parameter.name {
            case "state": try Self.set(&state, to: parameter)
            case "code": try Self.set(&code, to: parameter)
            case "error": try Self.set(&error, to: parameter)
            case "iss": try Self.set(&issuer, to: parameter)
            case "response": try Self.set(&response, to: parameter)
            case "id_token": try Self.set(&idToken, to: parameter)
            default: break
            }
        }
        // RFC 6749 section 3.1: a parameter without a value counts as left out.
        if state == "" { state = nil }
        if code == "" { code = nil }
        if error == "" { error = nil }
    }

    private static func set(_ value: inout String?, to parameter: FormField) throws(AuthorizationResponseError) {
        guard value == nil else { throw .duplicateParameter(name: parameter.name) }
        value = parameter.value
    }
}

/// The reason why a callback is no authorization response that its request may believe, from its bytes to its issuer.
/// No value of the callback is in it.
public enum AuthorizationResponseError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(FormEncodingError)
    /// A parameter that decides anything came twice, or both in the query and in the content.
    case duplicateParameter(name: String)
    case missingState
    case neitherCodeNorError
    case bothCodeAndError
    case tooLarge
    /// A signed response was requested, but `response` is missing.
    case notSigned
    /// The parameter `response` is no JWT that can be looked at.
    case unreadableJWT(JWTError)
    /// It came to another redirect URI than the request's.
    case wrongRedirectURI
    /// It has the state of another request.
    case wrongState
    /// It does not name its issuer, and the issuer always does (RFC 9207 section 2.4).
    case missingIssuer
    case wrongIssuer
    /// A claim of a signed response is missing, or has a value of the wrong kind.
    case missingClaim(name: String)
    case wrongAudience
    case expired
    case notYetValid
    /// The parameters inside of a signed response are no authorization response.
    indirect case inside(AuthorizationResponseError)
    /// The response is not signed by its issuer.
    case signature(SignatureError)

    public var description: String {
        switch self {
        case .malformed(.invalidEscape): "the parameters hold a broken escape"
        case .malformed(.unescapedByte): "the parameters hold a byte that has to be escaped"
        case .malformed(.notUTF8): "a parameter is not UTF-8"
        case .malformed(.tooManyFields): "there are too many parameters"
        case .duplicateParameter(let name): "the parameter \(name) was given twice"
        case .missingState: "the parameter state is missing"
        case .neitherCodeNorError: "there is neither a code nor an error"
        case .bothCodeAndError: "there is a code together with an error"
        case .tooLarge: "the parameters are too large"
        case .notSigned: "the response is not signed, though it was asked to be"
        case .unreadableJWT(.encrypted): "the signed response is encrypted, and the app has no key to open it"
        case .unreadableJWT(.undecryptable(let error)): "the signed response does not open: it \(error)"
        case .unreadableJWT(.notEncrypted): "the response is signed only, although the app's are encrypted (encrypted)"
        case .unreadableJWT: "the signed response is no JWT that is understood here"
        case .wrongRedirectURI: "the response came to another redirect URI than the request's"
        case .wrongState: "the response has the state of another request"
        case .missingIssuer: "the issuer always names itself (iss), and here it does not"
        case .wrongIssuer: "it comes from another issuer (iss) than was asked"
        case .missingClaim(let name): "the signed response lacks a valid \(name)"
        case .wrongAudience: "the signed response is for another client"
        case .expired: "the signed response has expired; is this machine's clock right?"
        case .notYetValid: "the signed response is from the future; is this machine's clock right?"
        case .inside(let error): "in the signed response, \(error)"
        case .signature(let error): "the signed response: \(error)"
        }
    }
}

/// An error in an authorization response (RFC 6749 section 4.1.2.1), with the additions that Microsoft's issuers make.
/// Every value is the issuer's: escape it before it is shown.
public struct AuthorizationError: Error, Hashable, Sendable {
    public let error: IssuerText
    public let errorDescription: IssuerText?
    public let suberror: IssuerText?
    public let correlationID: IssuerText?
    /// A claims challenge to send with the next attempt.
    public let claims: IssuerClaims?

    public init(
        error: IssuerText, errorDescription: IssuerText? = nil, suberror: IssuerText? = nil,
        correlationID: IssuerText? = nil, claims: IssuerClaims? = nil
    ) {
        self.error = error
        self.errorDescription = errorDescription
        self.suberror = suberror
        self.correlationID = correlationID
        self.claims = claims
    }

    /// The error of a response without `error` that names one by other parameters, as Facebook's does; nil without
    /// these parameters. `errorCode` is another spelling of `error_code`, and so on.
    init?(namedOtherwise parameters: [FormField]) throws(AuthorizationResponseError) {
        var values: [String: String] = [:]
        for parameter in parameters {
            let name = parameter.name.filter { $0 != "_" }.asciiLowercased
            guard Self.otherNames.contains(name) else { continue }
            guard values.updateValue(parameter.value, forKey: name) == nil else {
                throw .duplicateParameter(name: parameter.name)
            }
        }
        values = values.filter { !$0.value.isEmpty }
        let (reason, code) = (values["errorreason"], values["errorcode"])
        let message = values["errormessage"] ?? values["errordescription"]
        guard let name = reason ?? code ?? values["errortype"] ?? message.map({ _ in NestedError.unnamed.text }) else {
            return nil
        }
        // The name of an error is told before the release, so free text is none.
        let isName = NestedError.isName(name)
        let description = isName ? message : [name, message].compactMap(\.self).joined(separator: ": ")
        self.init(
            error: isName ? IssuerText(name) : NestedError.unnamed,
            errorDescription: description.map { IssuerText($0) },
            suberror: reason == nil ? nil : code.flatMap { NestedError.isName($0) ? IssuerText($0) : nil })
    }

    private static let otherNames: Set<String> = [
        "errorreason", "errorcode", "errortype", "errormessage", "errordescription",
    ]

    /// Picks the members out of an authorization response; a second one of a name is not looked at.
    init(error: String, parameters: [FormField]) {
        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
        func text(_ name: String) -> IssuerText? { value(name).map { IssuerText($0) } }
        self.init(
            error: IssuerText(error), errorDescription: text("error_description"),
            suberror: text("suberror") ?? text("error_subcode"), correlationID: text("correlation_id"),
            claims: value("claims").flatMap { IssuerClaims($0) })
    }
}
