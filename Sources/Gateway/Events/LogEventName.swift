/// The names of the log's events: the one closed list, each of which ``explanation`` explains.
enum LogEventName: String, CaseIterable, Sendable {
    // A sign-in, step by step.
    case begun
    case pageSeen = "page_seen"
    case started
    case accepted
    case repeated
    case refused
    case responseNotTrusted = "response_not_trusted"
    case held
    case released
    case wrongCode = "wrong_code"
    case denied
    case redeemed
    case sealed
    case completed
    case passedOn = "passed_on"
    case failed
    case collected
    case acknowledged
    case canceled
    case expired
    // Tokens.
    case tokensKept = "tokens_kept"
    case tokensNotKept = "tokens_not_kept"
    case refreshed
    case refreshFailed = "refresh_failed"
    case revoked
    case revocationFailed = "revocation_failed"
    case tokenGiven = "token_given"
    case tokenRefused = "token_refused"
    // Callers.
    case limited
    case releaseGuessed = "release_guessed"
    case beginRefused = "begin_refused"
    case useRefused = "use_refused"
    case callRefused = "call_refused"
    // Handlers.
    case delivered
    case deliveryFailed = "delivery_failed"
    case dispatched
    // Issuers and other gateways.
    case issuerCalled = "issuer_called"
    case issuerFailing = "issuer_failing"
    case issuerWell = "issuer_well"
    case gatewaySilent = "gateway_silent"
    // The store.
    case store
    case storeWarning = "store_warning"
    case storeFailed = "store_failed"
    case storeBack = "store_back"
    case storeNotClosed = "store_not_closed"
    case keyMissing = "key_missing"
    case historyFailed = "history_failed"
    case libsecretMissing = "libsecret_missing"
    // The gateway itself.
    case listening
    case ready
    case stopping
    case stopped
    case configurationWarning = "configuration_warning"
    case reloaded
    case reloadRefused = "reload_refused"
    case certificateTaken = "certificate_taken"
    case certificateRefused = "certificate_refused"
    case upgradeBegun = "upgrade_begun"
    case upgraded
    case upgradeRefused = "upgrade_refused"
    // The log.
    case linesNotShown = "lines_not_shown"
    case logLinesLost = "log_lines_lost"
}
