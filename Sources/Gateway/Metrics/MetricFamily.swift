/// The metrics by name, as in docs/reference/metrics.md. All begin with `switchyard_`.
enum MetricFamily: String, CaseIterable, Sendable {
    case build = "build"
    case ready
    case configurationLoaded = "configuration_loaded_timestamp_seconds"
    case configurationRefused = "configuration_refused"
    case configurationFilesLeftOut = "configuration_files_left_out"
    case requests
    case requestsBegun = "requests_begun"
    case callbacks
    case signIns = "sign_ins"
    case refreshes
    case revocations
    case tokensGiven = "tokens_given"
    case dispatched
    case handlerDeliveries = "handler_deliveries"
    case redemptionSeconds = "redemption_seconds"
    case issuerRequests = "issuer_requests"
    case waitingApps = "waiting_apps"
    case connections
    case tlsHandshakes = "tls_handshakes"
    case httpRequests = "http_requests"
    case limited
    case storeSeconds = "store_seconds"
    case storeFailures = "store_failures"
    case logLinesLost = "log_lines_lost"
    case certificateExpiry = "certificate_expiry_timestamp_seconds"

    enum Kind: String, Sendable {
        case gauge
        case counter
        case histogram
        case info
    }

    var kind: Kind {
        switch self {
        case .build: .info
        case .ready, .configurationLoaded, .configurationRefused, .configurationFilesLeftOut, .requests, .waitingApps,
            .connections, .certificateExpiry:
            .gauge
        case .redemptionSeconds, .storeSeconds: .histogram
        case .requestsBegun, .callbacks, .signIns, .refreshes, .revocations, .tokensGiven, .dispatched,
            .handlerDeliveries, .issuerRequests, .tlsHandshakes, .httpRequests, .limited, .storeFailures, .logLinesLost:
            .counter
        }
    }

    /// nil where numbers are counts.
    var unit: String? {
        switch self {
        case .redemptionSeconds, .storeSeconds, .certificateExpiry, .configurationLoaded: "seconds"
        default: nil
        }
    }

    var help: String {
        switch self {
        case .build: "Which gateway this is; always 1."
        case .ready: "1 while the gateway should get sign-ins, as /readyz says; else 0."
        case .configurationLoaded: "When the configuration in use was read; since 1970."
        case .configurationRefused:
            "1 while the last reload was refused and the configuration before it is in use; else 0."
        case .configurationFilesLeftOut: "Files with apps that have errors and are not in use as they are."
        case .requests: "Pending token requests in the store, by where they stand."
        case .requestsBegun: "Pending token requests begun."
        case .callbacks: "Callbacks by what became of them; app is whose redirect URI it was, empty for nobody's."
        case .signIns: "Sign-ins that are over: completed, or the failure's code."
        case .refreshes: "Refresh tokens exchanged for apps: completed, or the failure's code."
        case .tokensGiven: "Access tokens that an agent gave to programs: completed, or why it did not."
        case .revocations: "Tokens revoked for apps: completed, or the failure's code."
        case .dispatched: "Browsers sent on to apps that hold no requests."
        case .handlerDeliveries: "Outcomes handed to apps."
        case .redemptionSeconds: "How long the token endpoint took, failed requests included."
        case .issuerRequests: "Requests to issuers by how they ended."
        case .waitingApps: "Apps that wait for an outcome right now."
        case .connections: "Open connections."
        case .tlsHandshakes: "TLS handshakes by how they ended."
        case .httpRequests: "Answers by status code."
        case .limited: "How often somebody was turned away because of a limit, by its key below limits."
        case .storeSeconds: "How long operations of the store took, failed ones included."
        case .storeFailures: "Operations of the store that failed."
        case .logLinesLost: "Lines of the log that could not be written."
        case .certificateExpiry: "When a certificate that a listener shows, or one of its chain, ends; since 1970."
        }
    }

    var name: String { "switchyard_\(rawValue)" }

    /// The ending of its samples' names; a histogram's samples have one of three others.
    var suffix: String {
        switch kind {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }
}
