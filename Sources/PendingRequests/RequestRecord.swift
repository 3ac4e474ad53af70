public import SwitchyardCrypto

/// A pending token request as a store keeps it: digests instead of secrets, and sealed bytes (design chapter 5).
public struct RequestRecord: Sendable {
    /// Who redeems the code.
    public enum Completion: String, Sendable {
        /// The gateway; the app gets tokens.
        case tokens
        /// The app; it gets the callback as it came.
        case response
    }

    /// Who began, for limits and for rules about the beginner.
    public struct Beginner: Hashable, Sendable {
        /// What callers that count as one have in common: their network, or their user on a Unix socket.
        public let addressKey: String?
        /// The address itself; nil on a Unix socket.
        public let address: String?
        /// Whether the address is only what a header claims that nobody vouched for (design chapter 6, rule 12).
        public let isForwarded: Bool
        /// The user at the other end of a Unix socket.
        public let uid: UInt32?
        /// Whether `begin_from` vouched for the caller, which entitles it to the reserved share of the limits.
        public let isAuthenticated: Bool

        public init(
            addressKey: String?, address: String? = nil, isForwarded: Bool = false, uid: UInt32?, isAuthenticated: Bool
        ) {
            self.addressKey = addressKey
            self.address = address
            self.isForwarded = isForwarded
            self.uid = uid
            self.isAuthenticated = isAuthenticated
        }
    }

    /// Nobody can guess it: it stands in the addresses of the apps' API and in the link that starts the sign-in.
    public let id: RequestID
    /// Names the request to people.
    public let reference: Reference
    /// The app's id.
    public let app: String
    /// A digest of what the app was registered as when the request began: its code is for that issuer and client only.
    public let registration: SHA256Digest
    /// As registered; the callback has to come on this one.
    public let redirectURI: String
    public let completion: Completion
    /// Space-separated, as asked for.
    public let scope: String
    /// How the asking machine calls itself; a claim.
    public let hostLabel: String?
    public let beginner: Beginner
    /// Digests of what a callback and the app have to bring.
    public let stateHash: SHA256Digest
    public let resultTokenHash: SHA256Digest
    /// The thumbprint of the key that has to prove each call on the request (RFC 9449); nil where none has to.
    public let proofKey: SHA256Digest?
    public let createdAt: Timestamp
    /// When it ends if no callback comes before.
    public let expiresAt: Timestamp

    /// What the gateway needs to compose and to redeem, sealed for this id; empty once it is of no more use.
    public internal(set) var sealedSecrets: [UInt8]
    public internal(set) var phase = Phase.pending
    /// The callback that claimed the request.
    public internal(set) var callback: Callback?
    /// Whether somebody at another address than the beginner's has asked for the outcome before the callback came.
    public internal(set) var isWatchedFromElsewhere = false
    /// Codes that came in another browser than the one that started: none of them is ever taken.
    public internal(set) var strayCodes: [SHA256Digest] = []
    /// How it came that the code could be redeemed; nil as long as it may not be.
    public internal(set) var release: Release?

    public init(
        id: RequestID, reference: Reference, app: String, registration: SHA256Digest, redirectURI: String,
        completion: Completion, scope: String,
        hostLabel: String?, beginner: Beginner, stateHash: SHA256Digest, resultTokenHash: SHA256Digest,
        proofKey: SHA256Digest? = nil, createdAt: Timestamp, expiresAt: Timestamp, sealedSecrets: [UInt8]
    ) {
        self.id = id
        self.reference = reference
        self.app = app
        self.registration = registration
        self.redirectURI = redirectURI
        self.completion = completion
        self.scope = scope
        self.hostLabel = hostLabel
        self.beginner = beginner
        self.stateHash = stateHash
        self.resultTokenHash = resultTokenHash
        self.proofKey = proofKey
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.sealedSecrets = sealedSecrets
    }
}

extension RequestRecord {
    /// Where a request stands in its life (design chapter 5).
    public enum Phase: Sendable {
        case pending
        /// A callback took it. After `lease` nobody is working on it any more.
        case claimed(lease: Timestamp)
        /// A callback took it, and its code is held until browser and app are known to belong together (rule 8).
        case releaseRequired(Held)
        /// Its code is on the way to the issuer. After `lease` the code must be taken as spent.
        case redeeming(lease: Timestamp)
        case finished(Outcome)
    }

    /// What a held request waits for.
    public struct Held: Sendable {
        /// How many wrong proofs end the request.
        public static let attempts = 3

        public enum Proof: String, Sendable {
            /// A short code that the person carries from the page to the program.
            case code
            /// A ticket that the browser carries to the app.
            case ticket
        }

        public let proof: Proof
        /// The response and what proves the release, sealed for this id.
        public let sealed: [UInt8]
        /// When it has been held for too long.
        public let until: Timestamp
        public internal(set) var attemptsLeft = Held.attempts

        public init(proof: Proof, sealed: [UInt8], until: Timestamp) {
            self.proof = proof
            self.sealed = sealed
            self.until = until
        }
    }

    /// Why a request's code could be redeemed (rule 8).
    public enum Release: Sendable {
        /// The app's policy asks for nothing, the user that began relayed the callback, or there is no code in it.
        case notNeeded
        /// Begin and callback came from one address; what follows has to come from there too.
        case sameAddress
        /// The app proved it.
        case proved
    }

    /// How a request ended, and what became of the result.
    public struct Outcome: Sendable {
        public enum Kind: Hashable, Sendable {
            case completed
            /// The app that redeems by itself has got an error of the issuer; with the code that it stands for.
            case handedOver(error: String)
            /// With the failure's code.
            case failed(String)
            case canceled
            case expired
            /// The person at the browser said that somebody else began it.
            case denied
            /// The app gave too many wrong proofs.
            case misproved
            /// Nobody released the code in time.
            case heldTooLong
        }

        public let kind: Kind
        public let finishedAt: Timestamp
        /// The answer for the app, sealed for this id; nil once it is gone.
        public internal(set) var sealedResult: [UInt8]?
        /// When the answer goes; sooner once it was read.
        public internal(set) var discardAt: Timestamp
        public internal(set) var firstReadAt: Timestamp?
        public internal(set) var isAcknowledged = false
        /// False for an outcome that time brought about: its answer follows from its kind.
        public let hasAnswer: Bool

        public init(kind: Kind, finishedAt: Timestamp, sealedResult: [UInt8]?, discardAt: Timestamp) {
            self.kind = kind
            self.finishedAt = finishedAt
            self.sealedResult = sealedResult
            self.discardAt = discardAt
            hasAnswer = sealedResult != nil
        }

        /// One that time brought about: there is no answer.
        init(kind: Kind, finishedAt: Timestamp) {
            self.init(kind: kind, finishedAt: finishedAt, sealedResult: nil, discardAt: finishedAt)
        }

        /// Whether the app has taken the outcome.
        public var isCollected: Bool { firstReadAt != nil || isAcknowledged }
    }

    /// The callback that claimed a request.
    public struct Callback: Sendable, Hashable {
        /// Tells an identical callback from another one: a digest of everything that it said.
        public let fingerprint: SHA256Digest
        /// Of the cookie of the browser that brought it; nil when it was relayed.
        public let browserHash: SHA256Digest?

        public init(fingerprint: SHA256Digest, browserHash: SHA256Digest?) {
            self.fingerprint = fingerprint
            self.browserHash = browserHash
        }
    }

    public var outcome: Outcome? {
        if case .finished(let outcome) = phase { outcome } else { nil }
    }

    public var isFinished: Bool { outcome != nil }
}

extension RequestRecord {
    /// What the request waits for before its code may be redeemed; nil when it waits for no such thing.
    public var held: Held? {
        if case .releaseRequired(let held) = phase { held } else { nil }
    }
}

extension RequestRecord {
    /// Until when the request is remembered once it is over: for as long again as it could have lived, and for a minute
    /// at least, so that a late or repeated callback gets its own answer.
    public var rememberedUntil: Timestamp {
        var end = max(expiresAt, held?.until ?? expiresAt)
        // One that has expired did so when it was due, however late somebody looked.
        if let outcome, outcome.kind != .expired { end = max(end, outcome.finishedAt) }
        return end + max(expiresAt - createdAt, .seconds(60))
    }
}
