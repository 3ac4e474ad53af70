/// The fuzz targets. The raw value names the corpus folder, the dictionary, and the target on the command line.
///
/// A new target is a case here, its check in ``check(_:)``, a folder in `corpus` and a file in `dictionaries`.
enum FuzzTarget: String, CaseIterable, Sendable {
    case requestHead = "request-head"
    case chunkedBody = "chunked-body"
    case authorizationResponse = "authorization-response"
    case redirectURI = "redirect-uri"
    case callbackAddress = "callback-address"
    case jwt = "jwt"
    case jwe = "jwe"
    case keySet = "key-set"
    case callbackCookie = "callback-cookie"
    case acceptLanguage = "accept-language"
    case configuration = "configuration"
    case json = "json"
    case authenticateHeader = "authenticate-header"
    case claimsRequest = "claims-request"
    case tokenCache = "token-cache"
    case clientInfo = "client-info"
    case authority = "authority"
    case responseTable = "response-table"
    case forwarded = "forwarded"
    case packedRecord = "packed-record"
    case farAddress = "far-address"
    case terminalOutput = "terminal-output"
    case bridgedSignIn = "bridged-sign-in"
    case toolAnswer = "tool-answer"
    case infoPlist = "info-plist"
    case clientHello = "client-hello"
    case redisReply = "redis-reply"
    case sqliteRow = "sqlite-row"
    case logo = "logo"
    case mcpMessages = "mcp-messages"
    case resourceMetadata = "resource-metadata"

    /// Feeds one input to the parser, and looks whether what always holds still holds.
    ///
    /// It throws rather than traps, so that a replayed corpus names every file that fails; the driver traps.
    func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        switch self {
        case .requestHead: try RequestHeadTarget.check(bytes)
        case .chunkedBody: try ChunkedBodyTarget.check(bytes)
        case .authorizationResponse: try AuthorizationResponseTarget.check(bytes)
        case .redirectURI: try RedirectURITarget.check(bytes)
        case .callbackAddress: try CallbackAddressTarget.check(bytes)
        case .jwt: try JWTTarget.check(bytes)
        case .jwe: try JWETarget.check(bytes)
        case .keySet: try KeySetTarget.check(bytes)
        case .callbackCookie: try CallbackCookieTarget.check(bytes)
        case .acceptLanguage: try AcceptLanguageTarget.check(bytes)
        case .configuration: try ConfigurationTarget.check(bytes)
        case .json: try JSONTarget.check(bytes)
        case .authenticateHeader: try AuthenticateHeaderTarget.check(bytes)
        case .claimsRequest: try ClaimsRequestTarget.check(bytes)
        case .tokenCache: try TokenCacheTarget.check(bytes)
        case .clientInfo: try ClientInfoTarget.check(bytes)
        case .authority: try AuthorityTarget.check(bytes)
        case .responseTable: try ResponseTableTarget.check(bytes)
        case .forwarded: try ForwardedTarget.check(bytes)
        case .packedRecord: try PackedRecordTarget.check(bytes)
        case .farAddress: try FarAddressTarget.check(bytes)
        case .terminalOutput: try TerminalOutputTarget.check(bytes)
        case .bridgedSignIn: try BridgedSignInTarget.check(bytes)
        case .toolAnswer: try ToolResponseTarget.check(bytes)
        case .infoPlist: try InfoPlistTarget.check(bytes)
        case .clientHello: try ClientHelloTarget.check(bytes)
        case .redisReply: try RedisReplyTarget.check(bytes)
        case .sqliteRow: try SQLiteRowTarget.check(bytes)
        case .logo: try LogoTarget.check(bytes)
        case .mcpMessages: try MCPMessagesTarget.check(bytes)
        case .resourceMetadata: try ResourceMetadataTarget.check(bytes)
        }
    }
}
