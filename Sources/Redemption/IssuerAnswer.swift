internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// Reads the answers of an issuer's endpoints (RFC 6749 sections 5.1 and 5.2), without I/O.
struct IssuerAnswer {
    let answer: IncomingResponse
    /// Seconds since 1970, for `Retry-After`.
    let now: Int64

    /// The tokens in an answer; throws the error that it names. Any 2xx may bring them: some issuers answer 201.
    /// - Parameters:
    ///   - isRefresh: whether a refresh token was exchanged.
    ///   - isBound: whether the request proved a key.
    func tokens(_ deviations: Deviations, isRefresh: Bool, isBound: Bool = false) throws(SignInFailure) -> TokenResponse
    {
        let form = deviations.readsFormTokenResponses ? answer.formMembers : nil
        guard answer.isSuccess else { throw failure(of: .token, form, deviations) }
        guard let members = form ?? (answer.isJSON ? answer.jsonMembers : nil) else {
            throw unusable("the token endpoint's answer is \(answer.contentWords)")
        }
        let response: TokenResponse
        do throws(TokenResponseError) {
            response = try TokenResponse(members, deviations: deviations, mayBeAtTop: isRefresh, isBound: isBound)
        } catch {
            // Some issuers send their errors with the status of a success.
            if let named = TokenErrorResponse(of: members, deviations, isSuccess: true, tokens: error) {
                throw failure(named)
            }
            var failure = unusable(IssuerText(error.description))
            failure.wantsBrowser = members["challenge_type"] == "redirect"
            throw failure
        }
        // An answer that names an error is no success, even with tokens beside.
        if let error = TokenErrorResponse(members) ?? TokenErrorResponse(response.members) { throw failure(error) }
        return response
    }

    /// The JSON object in the answer of another endpoint of the issuer.
    func object(of call: IssuerCall = .signInStep) throws(SignInFailure) -> JSONObject {
        guard answer.isSuccess else { throw failure(of: call) }
        guard answer.isJSON, let object = answer.jsonMembers else {
            throw unusable("the issuer's answer is no JSON object")
        }
        if let error = TokenErrorResponse(object) { throw failure(error) }
        return object
    }

    /// The claims of the userinfo endpoint, or the JWT that has them.
    func userInfo() throws(SignInFailure) -> UserInfoContent {
        guard answer.isSuccess, answer.isJWT else { return .claims(try object(of: .userInfo)) }
        guard let compact = String(validating: answer.body, as: UTF8.self) else {
            throw unusable("the userinfo endpoint's answer is no JWT")
        }
        return .signed(compact)
    }

    /// Whether a token was revoked: an answer to that has no content that counts (RFC 7009 section 2.2).
    func revocation() throws(SignInFailure) {
        guard answer.isSuccess else { throw failure(of: .revocation) }
    }

    /// - Parameter form: the members of a form-encoded answer, where one may be read.
    private func failure(
        of call: IssuerCall, _ form: JSONObject? = nil, _ deviations: Deviations = .none
    ) -> SignInFailure {
        if answer.status >= 400, let members = form ?? answer.errorMembers,
            let error = TokenErrorResponse(of: members, deviations)
        {
            return failure(error)
        }
        let name = call.name
        var failure: SignInFailure
        switch answer.status {
        case 429:
            failure = SignInFailure(.throttled, description: "the issuer asks for patience", httpStatus: 429)
            failure.httpHeaders = answer.headers
        case 500...599:
            let page = answer.pageTitle.map { ", with the page \"\($0)\"" } ?? ""
            failure = SignInFailure(
                .serverError, internalCode: .serverError,
                description: "the \(name) answers with a server error (status \(answer.status))\(page)",
                httpStatus: answer.status)
            failure.obstacle = .status(answer.status)
        case 300...399: return unusable("the \(name) redirects, which is not followed")
        default:
            failure = unusable(
                """
                the \(name)'s answer with status \(answer.status) is neither \(call.content) nor an OAuth error: it is \
                \(answer.contentWords)
                """)
        }
        failure.retryAfter = answer.retryAfter(now: now)
        return failure
    }

    private func failure(_ error: TokenErrorResponse) -> SignInFailure {
        var failure = SignInFailure(
            error, httpStatus: answer.status, retryAfter: answer.retryAfter(now: now))
        failure.httpHeaders = answer.headers
        return failure
    }

    private func unusable(_ description: IssuerText) -> SignInFailure {
        var failure = SignInFailure(.invalidResponse, description: description, httpStatus: answer.status)
        failure.obstacle = answer.isSuccess ? .named(.wrongAnswer) : .status(answer.status)
        failure.httpHeaders = answer.headers
        return failure
    }
}

extension TokenErrorResponse {
    /// The error of an answer without tokens: at its top, where the tokens would be, or in the issuer's own words.
    /// - Parameters:
    ///   - isSuccess: whether the status is that of a success. Then a member such as `status` alone tells of no error.
    ///   - problem: why the answer is no token response. One that has a token tells of no error in words of its own.
    fileprivate init?(
        of answer: JSONObject, _ deviations: Deviations, isSuccess: Bool = false,
        tokens problem: TokenResponseError? = nil
    ) {
        let inner = deviations.tokenPath?.value(in: .object(answer))?.object
        if let found = TokenErrorResponse(answer) ?? inner.flatMap({ TokenErrorResponse($0) }) {
            self = found
            return
        }
        switch problem {
        case nil, .missingAccessToken, .missingTokenObject: break
        case .notAnObject, .unsupportedTokenType, .notBound, .invalidMember, .invalidCharacter: return nil
        }
        let own = inner.flatMap { TokenErrorResponse(namedOtherwise: $0) } ?? TokenErrorResponse(namedOtherwise: answer)
        guard let own, !isSuccess || own.errorDescription != nil || own.suberror != nil else { return nil }
        self = own
    }
}

extension IncomingResponse {
    var isSuccess: Bool { (200...299).contains(status) }

    /// The media type of the content, in lower case; empty when absent.
    private var mediaType: String {
        (header("Content-Type") ?? "").prefix(before: UInt8(ascii: ";")).prefix(before: UInt8(ascii: " "))
            .asciiLowercased
    }

    /// Whether the content is `application/json` or a type that ends in `+json` (RFC 6839 section 3.1).
    var isJSON: Bool { mediaType == "application/json" || mediaType.hasSuffix("+json") }

    /// Whether the content is a JWT (RFC 7519 section 10.3.1).
    fileprivate var isJWT: Bool { mediaType == "application/jwt" }

    /// The content as a JSON object, with any media type.
    fileprivate var jsonMembers: JSONObject? { (try? JSONValue.parse(body))?.object }

    /// The same for an error, which Salesforce for one sends as a list of objects: the first of them.
    fileprivate var errorMembers: JSONObject? {
        let value = try? JSONValue.parse(body)
        return value?.object ?? value?.array?.first?.object
    }

    /// The fields of form-encoded content as members; nil for other content, and for a name that stands twice.
    fileprivate var formMembers: JSONObject? {
        guard ["application/x-www-form-urlencoded", "text/plain", ""].contains(mediaType), jsonMembers == nil,
            let fields = try? FormEncoding.decode(body)
        else { return nil }
        var members = JSONObject()
        for field in fields {
            guard members[field.name] == nil else { return nil }
            members[field.name] = .string(field.value)
        }
        return members
    }

    /// The kind of content, for a message. For a page it has the title only, which may name a firewall or a CDN.
    fileprivate var contentWords: String {
        if let pageTitle { return "not JSON but the web page \"\(pageTitle)\"" }
        if isPage { return "not JSON but a web page" }
        if body.isEmpty { return "not JSON but empty" }
        switch mediaType {
        case "application/x-www-form-urlencoded":
            return "not JSON but form-encoded (the issuer's deviation token_response: form reads that)"
        case "": return "not JSON"
        case let type:
            if isJSON { return "no JSON object, or has a name twice" }
            return "not JSON but \(IssuerText(type.utf8.count <= 100 ? type : "another type"))"
        }
    }

    private var isPage: Bool { ["text/html", "application/xhtml+xml"].contains(mediaType) }

    /// The title of a web page, on one line; nil for other content and for a page without one.
    fileprivate var pageTitle: IssuerText? {
        guard isPage else { return nil }
        return PageTitle.read(body).map { IssuerText($0) }
    }
}
