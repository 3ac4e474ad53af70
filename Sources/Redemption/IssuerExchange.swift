public import SwitchyardHTTPClient
public import SwitchyardOAuth

/// A request to an issuer, and its result: for logs and metrics. Free of secrets and personal data.
public struct IssuerExchange: Sendable, Hashable {
    public enum Endpoint: String, Sendable, CaseIterable {
        case discovery
        case keys
        case token
        case revocation
        /// The endpoint for pushed authorization requests.
        case push
        /// The address that names the account of a token.
        case account
        case userInfo = "userinfo"
    }

    public enum Result: String, Sendable, CaseIterable {
        case ok
        /// The issuer has understood and said no.
        case refused
        /// It answered with something else than an answer.
        case failed
        /// No whole answer came.
        case unreachable
    }

    /// The reason why the result is not ``Result/ok``.
    public enum Problem: Sendable, Hashable {
        /// An OAuth error, with the number that Microsoft's issuers give it, such as `AADSTS7000215`.
        case oauthError(IssuerText, number: IssuerText?)
        /// Another HTTP status than the protocol knows here.
        case status(Int)
        /// The answer breaks the protocol, or is another issuer's; in words of ours.
        case wrongAnswer(IssuerText)
        case offline
        /// The address refuses connections.
        case refusedConnection
        /// The proxy of the route does not pass the connection on.
        case proxyRefused
        /// An address that others gave leads to no server of the public internet.
        case forbiddenAddress
        case timedOut
        /// The connection was lost before the answer was whole.
        case interrupted
        case certificate(TransferError.CertificateProblem)
        /// The request could not be sent at all.
        case unsendable
    }

    /// The issuer's name in the configuration.
    public let issuer: String
    public let endpoint: Endpoint
    /// nil when all went well.
    public let problem: Problem?
    /// From the request to its answer or its failure.
    public let duration: Duration
    /// The proxy of a call that did not reach the issuer; nil for a direct one.
    public var proxy: String?

    public var result: Result { problem?.result ?? .ok }
}

extension IssuerExchange.Problem {
    /// One word for logs: `certificate_expired`, `status_404`, `invalid_client`.
    public var label: String {
        switch self {
        case .oauthError(let error, let number): number.map { "\(error) \($0)" } ?? error.text
        case .status, .wrongAnswer, .offline, .refusedConnection, .proxyRefused, .forbiddenAddress, .timedOut,
            .interrupted, .certificate, .unsendable:
            obstacle?.label ?? ""
        }
    }

    /// The cause in a word of the gateway's own; nil for an OAuth error, which has the issuer's word.
    public var obstacle: SignInObstacle? {
        switch self {
        case .oauthError: nil
        case .status(let status): .status(status)
        case .wrongAnswer: .named(.wrongAnswer)
        case .offline: .named(.offline)
        case .refusedConnection: .named(.connectionRefused)
        case .proxyRefused: .named(.proxyRefused)
        case .forbiddenAddress: .named(.forbiddenAddress)
        case .timedOut: .named(.timedOut)
        case .interrupted: .named(.interrupted)
        case .certificate(let problem): .named(problem.obstacle)
        case .unsendable: .named(.unsendable)
        }
    }

    var result: IssuerExchange.Result {
        switch self {
        case .oauthError, .status(429): .refused
        case .status, .wrongAnswer, .unsendable: .failed
        case .offline, .refusedConnection, .proxyRefused, .forbiddenAddress, .timedOut, .interrupted, .certificate:
            .unreachable
        }
    }

    init(_ error: TransferError) {
        self =
            switch error.kind {
            case .invalidRequest: .unsendable
            case .timedOut: .timedOut
            case .interrupted: .interrupted
            case .tooLarge, .malformedResponse: .wrongAnswer(IssuerText(error.message))
            case .notConnected:
                switch error.obstacle {
                case .offline: .offline
                case .certificate(let problem): .certificate(problem)
                case .proxyRefused: .proxyRefused
                case .forbiddenAddress: .forbiddenAddress
                case .connectionRefused, nil: .refusedConnection
                }
            }
    }

    /// Derives the result of an exchange from the sign-in failure that its answer caused.
    init(_ failure: SignInFailure) {
        if let error = failure.oauthError {
            self = .oauthError(error, number: failure.beforeRelease.description)
        } else if let status = failure.httpStatus, !(200...299).contains(status) {
            self = .status(status)
        } else {
            self = .wrongAnswer(failure.description ?? "")
        }
    }
}

extension TransferError.CertificateProblem {
    fileprivate var obstacle: SignInObstacle.Name {
        switch self {
        case .expired: .certificateExpired
        case .notYetValid: .certificateNotYetValid
        case .untrusted: .certificateUntrusted
        case .wrongName: .certificateWrongName
        case .other: .certificateOther
        }
    }
}
