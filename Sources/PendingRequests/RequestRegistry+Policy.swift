public import SwitchyardCrypto

extension RequestRegistry {
    /// The lifetimes of requests and of their parts.
    public struct Lifetimes: Sendable {
        /// For a request, from its beginning until the wait for its callback ends.
        public var request: Duration
        /// For a result, after it was read for the first time.
        public var result: Duration
        /// For a held code.
        public var release: Duration
        /// The number of wrong proofs that ends a held request; at least 1.
        public var releaseAttempts: Int
        /// The time without a sign of life after which work on a claimed request counts as abandoned. Longer work must
        /// prolong it in time, see ``RequestRegistry/prolong(_:)``.
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

    /// The news that the registry reports of its own accord.
    public enum News: Sendable {
        /// Time has ended a request.
        case ended(RequestRecord)
        /// The store fails; reported once, and again every ten seconds while it lasts.
        /// - Parameter failures: the failures since the last report.
        case storeFailed(StoreError, failures: Int)
        /// The store works again.
        case storeBack
        /// Records are sealed with an encryption key that is not configured.
        case keyMissing(id: String)
    }

    /// The settings that a reload may change.
    public final class Policy: Sendable {
        /// The encryption keys: the first one seals, and each of them opens.
        public let keys: KeyRing
        /// The limits of the store's content.
        public let quota: RequestQuota
        public let lifetimes: Lifetimes

        public init(keys: KeyRing, quota: RequestQuota, lifetimes: Lifetimes) {
            self.keys = keys
            self.quota = quota
            self.lifetimes = lifetimes
        }
    }
}
