public import SwitchyardCrypto
public import SwitchyardRouting

/// A pending token request as a store keeps it: digests instead of secrets, and sealed bytes.
///
/// A value without I/O. ``apply(_:at:)`` is its whole life cycle, ``packed`` the bytes that a store keeps. A finished
/// request that needs no answer any more is a tombstone. It keeps only the data that recognizes a repeated callback,
/// and that the page of the sign-in shows.
public struct RequestRecord: Hashable, Sendable {
    /// The party that redeems the code.
    public enum Completion: String, Sendable {
        /// The gateway; the app gets tokens.
        case tokens
        /// The app; it gets the callback as it came.
        case response
    }

    /// The beginner, for limits and for rules about the beginner.
    public struct Beginner: Hashable, Sendable {
        /// The key of callers that count as one: an IPv4 address, a /64 of IPv6, or a user on a Unix socket.
        public let callerKey: String?
        /// The address itself, as text; nil on a Unix socket.
        public let address: String?
        /// Whether the beginner's address is unknown: a header makes a claim without a trusted proxy, or a proxy does not
        /// name its client.
        public let isAddressUnknown: Bool
        /// The user at the other end of a Unix socket; nil without one.
        public let uid: UInt32?
        /// Whether `begin_from` vouched for the caller, which entitles it to the reserved share of the limits.
        public let isAuthenticated: Bool

        /// The beginner in a tombstone. It has no address that another one could be compared with.
        static let forgotten = Beginner(callerKey: nil, isAddressUnknown: true, uid: nil, isAuthenticated: false)

        public init(
            callerKey: String?, address: String? = nil, isAddressUnknown: Bool = false, uid: UInt32?,
            isAuthenticated: Bool
        ) {
            self.callerKey = callerKey
            self.address = address
            self.isAddressUnknown = isAddressUnknown
            self.uid = uid
            self.isAuthenticated = isAuthenticated
        }
    }

    /// An unguessable id: it stands in the addresses of the apps' API and in the link that starts the sign-in.
    public let id: RequestID
    /// Names the request to people.
    public let reference: Reference
    public let app: AppID
    /// The asking machine's name for itself; a claim.
    public let hostLabel: String?
    /// The digest of the state that a callback must bring.
    public let stateHash: SHA256Digest
    /// When it began, by the clock of the gateway that took it in.
    public let createdAt: Timestamp
    /// When it ends if no callback comes before.
    public let expiresAt: Timestamp

    /// The present phase. Only ``apply(_:at:)`` changes it.
    public internal(set) var phase = Phase.pending
    /// The callback that claimed the request.
    public internal(set) var callback: Callback?

    /// The redirect URI that the callback must come on.
    public internal(set) var target: Target

    // The following fields are emptied as soon as they are of no more use.

    /// A digest of what the app was registered as when the request began: its code is for that issuer and client only.
    public internal(set) var registration: SHA256Digest?
    /// The party that redeems the code; `tokens`, without a meaning, in a tombstone.
    public internal(set) var completion: Completion
    /// The trace of the request as its app, or the bearer of its callback, names it; for logs and issuers.
    public var trace: TraceContext?
    /// The scopes that the app asked for, space-separated.
    public internal(set) var scope: String
    /// The beginner; in a tombstone ``Beginner/forgotten``.
    public internal(set) var beginner: Beginner
    /// The digest of the app's result token; nil when there is no more result to ask for.
    public internal(set) var resultTokenHash: ShortDigest?
    /// The thumbprint of the key that must prove each call on the request (RFC 9449); nil if no proof is needed.
    public internal(set) var proofKey: SHA256Digest?
    /// The gateway's secrets to compose and to redeem, sealed for this id.
    public internal(set) var sealedSecrets: [UInt8]
    /// Whether a caller at another address than the beginner's has asked for the outcome before the callback came.
    public internal(set) var isWatchedFromElsewhere = false
    /// Why the code may be redeemed; nil as long as it may not.
    public internal(set) var release: Release?
    /// A response that waits until its browser comes again, to show its cookies.
    public internal(set) var parked: Parked?
    /// How often it was pushed to its issuer; nil as long as it was not.
    public internal(set) var pushes: Pushes?
    /// Codes that came in another browser than the one that started: they are always refused.
    public internal(set) var strayCodes: [ShortDigest] = []

    /// A request at its beginning, before any step.
    /// - Parameters:
    ///   - expiresAt: not before `createdAt`.
    ///   - sealedSecrets: the sealed ``RequestSecrets``.
    public init(
        id: RequestID, reference: Reference, app: AppID, registration: SHA256Digest, redirectURI: String,
        completion: Completion, scope: String, hostLabel: String?,
        beginner: Beginner, stateHash: SHA256Digest, resultTokenHash: SHA256Digest, proofKey: SHA256Digest? = nil,
        createdAt: Timestamp, expiresAt: Timestamp, sealedSecrets: [UInt8], trace: TraceContext? = nil
    ) {
        self.id = id
        self.reference = reference
        self.app = app
        self.registration = registration
        target = .uri(redirectURI)
        self.completion = completion
        self.scope = scope
        self.hostLabel = hostLabel
        self.beginner = beginner
        self.stateHash = stateHash
        self.resultTokenHash = ShortDigest(resultTokenHash)
        self.proofKey = proofKey
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.sealedSecrets = sealedSecrets
        self.trace = trace
    }

    /// Makes a record of the fields that every record has. The reader of the packed form adds the others.
    init(
        id: RequestID, reference: Reference, app: AppID, hostLabel: String?, stateHash: SHA256Digest,
        createdAt: Timestamp, expiresAt: Timestamp, target: Target, beginner: Beginner
    ) {
        self.id = id
        self.reference = reference
        self.app = app
        self.hostLabel = hostLabel
        self.stateHash = stateHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.target = target
        self.beginner = beginner
        completion = .tokens
        scope = ""
        sealedSecrets = []
    }
}
