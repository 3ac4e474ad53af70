public import SwitchyardCrypto

extension RequestRegistry {
    /// How long things live.
    public struct Lifetimes: Sendable {
        /// For a request, from its beginning until the wait for its callback ends.
        public var request: Duration
        /// For a result, after it was read for the first time.
        public var result: Duration
        /// For a held code.
        public var release: Duration
        /// How many wrong proofs of a release end the request; at least 1.
        public var releaseAttempts: Int
        /// After how long without a sign of life work on a claimed request counts as abandoned. Whoever works on it for
        /// longer prolongs it in time, see ``RequestRegistry/prolong(_:)``.
        public var lease: Duration

        public init(
            request: Duration, result: Duration, release: Duration, releaseAttempts: Int, lease: Duration
        ) {
            self.request = request
            self.result = result
            self.release = release
            self.releaseAttempts = releaseAttempts
            self.lease = lease
        }
    }

    /// What is asked for when a request begins; most of it becomes the record's.
    public struct Beginning: Sendable {
        /// The app's id.
        public let app: String
        /// What the app is at its issuer, as a digest.
        public let registration: SHA256Digest
        /// As the issuer is to be told.
        public let redirectURI: String
        /// Who redeems the code.
        public let completion: RequestRecord.Completion
        /// Space-separated.
        public let scope: String
        /// How the asking machine calls itself; shown to people as its own claim.
        public let hostLabel: String?
        /// Who asks, for limits and for rules about the beginner.
        public let beginner: RequestRecord.Beginner
        /// The thumbprint of the key that has to prove each call (RFC 9449); nil where none has to.
        public let proofKey: SHA256Digest?
        /// Sealed before they are stored.
        public let secrets: RequestSecrets
        /// The trace that the app's call belongs to.
        public let trace: TraceContext?
        /// The one that the request has elsewhere already; nil for a fresh one.
        public var reference: Reference?
        /// How long it waits for its callback; nil for as long as the policy says.
        public var lifetime: Duration?

        public init(
            app: String, registration: SHA256Digest, redirectURI: String, completion: RequestRecord.Completion,
            scope: String, hostLabel: String?,
            beginner: RequestRecord.Beginner, proofKey: SHA256Digest? = nil, secrets: RequestSecrets,
            trace: TraceContext? = nil
        ) {
            self.app = app
            self.registration = registration
            self.redirectURI = redirectURI
            self.completion = completion
            self.scope = scope
            self.hostLabel = hostLabel
            self.beginner = beginner
            self.proofKey = proofKey
            self.secrets = secrets
            self.trace = trace
        }
    }

    /// That a callback is handed over, which happens once (``RequestRegistry/markHandedOver(_:mayGoOn:lifetime:)``).
    public struct HandedOverMark: Sendable {
        /// Of the callback: nobody can guess one with the digest of another, nor that of a request.
        let id: RequestID
        let proof: ShortDigest
        /// That it went on to what stands behind the handlers; nil where nothing does.
        let goneOn: ShortDigest?
        let until: Timestamp

        init?(_ digest: SHA256Digest, mayGoOn: Bool, until: Timestamp) {
            guard let id = RequestID(bytes: digest.bytes.suffix(16)) else { return nil }
            self.id = id
            proof = ShortDigest(digest)
            goneOn = mayGoOn ? ShortDigest(SHA256Digest(of: digest.bytes + Array(" went on".utf8))) : nil
            self.until = until
        }
    }

    /// What the registry has to tell of its own accord.
    public enum News: Sendable {
        /// Time has ended a request.
        case ended(RequestRecord)
        /// The store does not do what it is asked; told once, and again every ten seconds while it lasts.
        /// - Parameter failures: since it was last told.
        case storeFailed(StoreFailure, failures: Int)
        /// The store works again.
        case storeBack
    }

    /// What a reload may change.
    public struct Policy: Sendable {
        /// The first one seals, and each of them opens.
        public let keys: KeyRing
        /// How much may be kept.
        public let quota: RequestQuota
        /// How long.
        public let lifetimes: Lifetimes

        public init(keys: KeyRing, quota: RequestQuota, lifetimes: Lifetimes) {
            self.keys = keys
            self.quota = quota
            self.lifetimes = lifetimes
        }
    }
}
