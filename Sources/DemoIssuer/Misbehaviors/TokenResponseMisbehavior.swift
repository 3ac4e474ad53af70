/// In the token response (RFC 6749 section 5.1) and in how it is sent.
enum TokenResponseMisbehavior: String, Sendable, CaseIterable {
    /// Does not grant the last of the resource scopes that were asked for.
    case fewerScopes = "fewer_scopes"

    case missingTokenType = "missing_token_type"
    case wrongTokenType = "wrong_token_type"
    /// The type `mac`, which wants another use of the token.
    case macTokenType = "mac_token_type"
    case missingAccessToken = "missing_access_token"
    case emptyAccessToken = "empty_access_token"
    /// The access token is a number.
    case accessTokenNumber = "access_token_number"
    /// The lifetime as a string, as some issuers send it.
    case expiresInString = "expires_in_string"
    case expiresInNegative = "expires_in_negative"
    /// A lifetime of 300 million years.
    case expiresInHuge = "expires_in_huge"
    /// A lifetime that fits into no integer.
    case expiresInOverflow = "expires_in_overflow"
    case missingExpiresIn = "missing_expires_in"
    /// The time of the expiry stands beside the lifetime, in seconds since 1970, as older issuers send it.
    case expiresOn = "expires_on"
    /// Every number is a string.
    case numbersAsStrings = "numbers_as_strings"
    case missingScope = "missing_scope"

    /// No refresh token comes; the one that was used stays good.
    case missingRefreshToken = "no_refresh_token"
    /// No `client_info`, although it was asked for.
    case missingClientInfo = "no_client_info"
    /// A `client_info` that cannot be read.
    case brokenClientInfo = "broken_client_info"

    /// An error stands beside the tokens.
    case tokensWithError = "tokens_with_error"
    /// `access_token` stands in the object twice.
    case repeatedKeys = "repeated_keys"
    /// The token response is called `text/html`.
    case notJSON = "not_json"
    /// It is not called anything.
    case noContentType = "no_content_type"
    /// The status is 400.
    case tokensIn400 = "tokens_in_400"
    /// The connection ends in the middle of the content.
    case truncated
}
