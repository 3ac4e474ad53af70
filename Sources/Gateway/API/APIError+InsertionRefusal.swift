internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

extension APIError {
    /// The answer to an app whose request was not taken in.
    init(_ refusal: InsertionRefusal, of app: AppID) {
        self =
            switch refusal {
            case .stateInUse:
                // The state of a finished request also counts, for as long as the gateway recognizes its callback.
                APIError(
                    .conflict, "invalid_request",
                    "\"state\": a request with this state is pending, or was until a short while ago; use another")
            case .tooMany:
                APIError(
                    .serviceUnavailable, "temporarily_unavailable", "the gateway holds as many requests as it may",
                    retryAfter: 10
                ).noted(.limit(.requests, app: app))
            case .tooManyForApp:
                APIError(
                    .serviceUnavailable, "temporarily_unavailable", "the app has as many pending requests as it may",
                    retryAfter: 10
                ).noted(.limit(.requestsPerApp, app: app))
            case .tooManyBytes:
                APIError(
                    .serviceUnavailable, "temporarily_unavailable", "the gateway keeps as much as it may",
                    retryAfter: 10
                ).noted(.limit(.keptBytes, app: app))
            case .tooManyBytesForAddress:
                .tooMany(
                    "as much is kept for this address as may be; collect or cancel what is there", .keptBytesPerAddress,
                    app: app, retryAfter: 10)
            case .tooManyBytesForNetwork:
                .tooMany(
                    "as much is kept for this network as may be; collect or cancel what is there", .keptBytesPerNetwork,
                    app: app, retryAfter: 10)
            case .tooManyForNetwork:
                .tooMany(
                    "this network has as many pending requests as it may", .requestsPerNetwork, app: app, retryAfter: 10
                )
            case .tooManyForAddress:
                .tooMany(
                    "this address has as many pending requests as it may", .requestsPerAddress, app: app, retryAfter: 10
                )
            }
    }
}
