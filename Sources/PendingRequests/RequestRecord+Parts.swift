public import SwitchyardCrypto
public import SwitchyardOAuth

extension RequestRecord {
    /// The phase of a request's life.
    public enum Phase: Hashable, Sendable {
        /// It waits for a callback.
        case pending
        /// It was released, and the gateway makes an answer for the app that needs no issuer: the held response, or a
        /// failure. Only ``RequestTransition/release(_:for:)`` sets it, and it no longer waits for a callback.
        case claimed(Claim)
        /// A callback took it, and its code is held until browser and app are known to belong together (rules: who began
        /// is who finishes).
        case releaseRequired(Held)
        /// Its code is on the way to the issuer. After the lease the code counts as spent.
        case redeeming(Claim)
        /// It is over for good.
        case finished(Outcome)
    }

    /// The gateway that works on a request, and its lease.
    public struct Claim: Hashable, Sendable {
        /// A fresh number for each claim. It identifies a command that a stalled store has carried out behind its
        /// gateway's back. A gateway never continues another's claim.
        public let claimant: UInt64
        /// The end of the lease. From this moment on the work counts as abandoned.
        public let lease: Timestamp

        public init(claimant: UInt64, lease: Timestamp) {
            self.claimant = claimant
            self.lease = lease
        }
    }

    /// The release that a held request waits for.
    public struct Held: Hashable, Sendable {
        /// The proof that the app must show.
        public enum Proof: String, CaseIterable, Sendable {
            /// A short code that the person carries from the page to the program.
            case code
            /// A ticket that the browser carries to the app.
            case ticket
        }

        public let proof: Proof
        /// The ``HeldResponse``, sealed for the request's id.
        public let sealed: [UInt8]
        /// From this moment on it can no longer be released.
        public let until: Timestamp
        /// The number of wrong proofs that may still come; the last of them ends the request.
        public internal(set) var attemptsLeft: Int

        public init(proof: Proof, sealed: [UInt8], until: Timestamp, attempts: Int) {
            attemptsLeft = attempts
            self.proof = proof
            self.sealed = sealed
            self.until = until
        }
    }

    /// A response that came by a POST from another site. Browsers send no cookies with it, so it waits until its browser
    /// comes again.
    public struct Parked: Hashable, Sendable {
        /// The response as it came, sealed for the request's id.
        public let sealed: [UInt8]
        /// From this moment on it is forgotten.
        public let until: Timestamp

        public init(sealed: [UInt8], until: Timestamp) {
            self.sealed = sealed
            self.until = until
        }
    }

    /// Why a request's code could be redeemed.
    public enum Release: Hashable, Sendable {
        /// The app's policy needs no release, the user that began relayed the callback, or there is no code in it.
        case notNeeded
        /// Begin and callback came from one address; later calls must come from there too.
        case sameAddress
        /// The app proved it.
        case proved
    }

    /// The end of a request, and its result.
    public struct Outcome: Hashable, Sendable {
        /// The ways in which a request can end.
        public enum Kind: Hashable, Sendable {
            /// The app gets what it asked for: tokens, or a response with a code.
            case completed
            /// The issuer answered with an error. The app gets that answer, because it redeems by itself.
            /// - Parameter error: the failure's code for the issuer's error.
            case errorResponse(error: SignInFailure.Code)
            /// The sign-in failed.
            case failed(SignInFailure.Code)
            /// The app canceled it.
            case canceled
            /// No callback came in time.
            case expired
            /// The person at the browser said that another person began it.
            case denied
            /// The app gave too many wrong proofs.
            case misproved
            /// The code was not released in time.
            case heldTooLong
            /// The app has the response without asking here: the browser took it there, or a handler did.
            case passedOn
        }

        /// The answer for the app to collect.
        public enum Answer: Hashable, Sendable {
            /// The answer, sealed for the request's id.
            case sealed([UInt8])
            /// The answer that follows from the kind: time ended the request, or the failure had too many words.
            /// - Parameter isAwaited: whether the app may still come for it. While it may, the record is no tombstone.
            case implied(isAwaited: Bool)
            /// It was acknowledged, or its time is over.
            case gone
        }

        public let kind: Kind
        public let finishedAt: Timestamp
        public private(set) var answer: Answer
        /// The time at which the answer is discarded; sooner once the app has read it.
        public internal(set) var discardAt: Timestamp
        /// The time at which the app read the answer for the first time; nil as long as it has not.
        public internal(set) var firstReadAt: Timestamp?
        /// Whether the app has acknowledged the answer, which discards it.
        public internal(set) var isAcknowledged = false

        /// An outcome that was just reached, not read yet.
        public init(kind: Kind, finishedAt: Timestamp, answer: Answer, discardAt: Timestamp) {
            self.kind = kind
            self.finishedAt = finishedAt
            self.answer = answer
            self.discardAt = discardAt
        }

        /// An outcome with the answer that follows from its kind.
        /// - Parameter until: the end of the time in which the app may ask for it; nil if there is no answer to ask
        ///   for.
        init(kind: Kind, finishedAt: Timestamp, until: Timestamp?) {
            self.init(
                kind: kind, finishedAt: finishedAt, answer: .implied(isAwaited: until != nil),
                discardAt: until ?? finishedAt)
        }

        /// Whether the app may still come for the answer.
        public var isCollectable: Bool {
            switch answer {
            case .sealed, .implied(isAwaited: true): true
            case .implied(isAwaited: false), .gone: false
            }
        }

        /// The sealed answer; nil if there is no such answer.
        public var sealedAnswer: [UInt8]? { if case .sealed(let bytes) = answer { bytes } else { nil } }

        /// Discards the answer. The kind can be told for as long as the record is there.
        mutating func discard() {
            switch answer {
            case .sealed, .gone: answer = .gone
            case .implied: answer = .implied(isAwaited: false)
            }
        }

        /// The outcome without its reading, and without the time at which the answer goes.
        var unread: Outcome { Outcome(kind: kind, finishedAt: finishedAt, answer: answer, discardAt: finishedAt) }

        /// Whether the app has taken the outcome.
        public var isCollected: Bool { firstReadAt != nil || isAcknowledged }
    }

    /// The callback that claimed a request.
    public struct Callback: Hashable, Sendable {
        /// The digest of the callback's whole content, by which an identical callback is recognized.
        public let fingerprint: ShortDigest
        /// The digest of the cookie of the browser that brought it; nil when it was relayed.
        public let browserHash: ShortDigest?

        /// Shortens both digests.
        public init(fingerprint: SHA256Digest, browserHash: SHA256Digest?) {
            self.init(fingerprint: ShortDigest(fingerprint), browserHash: browserHash.map { ShortDigest($0) })
        }

        init(fingerprint: ShortDigest, browserHash: ShortDigest?) {
            self.fingerprint = fingerprint
            self.browserHash = browserHash
        }

        /// Whether a callback with this fingerprint is the same one.
        public func says(_ fingerprint: SHA256Digest) -> Bool { self.fingerprint == ShortDigest(fingerprint) }

        /// Whether it came in the browser with this cookie; false for one that was relayed, and for nil.
        public func isOfBrowser(_ hash: SHA256Digest?) -> Bool {
            guard let hash, let browserHash else { return false }
            return browserHash == ShortDigest(hash)
        }
    }

    /// The redirect URI of a request.
    public enum Target: Hashable, Sendable {
        /// The URI that the issuer got.
        case uri(String)
        /// The digest of the URI, by which a tombstone recognizes it.
        case digest(UInt64)

        var digest: UInt64 {
            switch self {
            case .uri(let text): (try? RedirectURI(text)).map { Self.digest(of: $0) } ?? SHA256Digest(of: text).prefix
            case .digest(let digest): digest
            }
        }

        /// The port of a loopback URI does not count (RFC 8252 section 7.3), and is no part of its form.
        static func digest(of uri: RedirectURI) -> UInt64 {
            let form =
                switch uri.form {
                case .https(let host, let port, let path): "https \(host) \(port) \(path)"
                case .loopback(let host, let path): "loopback \(host) \(path)"
                case .customScheme(let scheme, let rest): "custom \(scheme) \(rest)"
                }
            return SHA256Digest(of: form).prefix
        }
    }

    /// The redirect URI by which the callback is routed; nil in a tombstone. Parsed on each call, so that the many
    /// reads of a record do not pay for it.
    public var redirect: RedirectURI? {
        if case .uri(let text) = target { try? RedirectURI(text) } else { nil }
    }

    /// The URI that the issuer got; empty in a tombstone.
    public var redirectURI: String {
        if case .uri(let text) = target { text } else { "" }
    }

    /// The form of the request's own redirect URI. A tombstone has only its digest, and recognizes it.
    /// - Parameter uri: the URI on which a callback came. It may differ in the port of a loopback address.
    /// - Returns: nil if the tombstone has another URI.
    public func form(seenAs uri: RedirectURI) -> RedirectURI.Form? {
        switch target {
        case .uri(let text): text == uri.text ? uri.form : redirect?.form
        case .digest(let digest): digest == Target.digest(of: uri) ? uri.form : nil
        }
    }

    /// How the request ended; nil as long as it has not.
    public var outcome: Outcome? {
        if case .finished(let outcome) = phase { outcome } else { nil }
    }

    /// Whether it has ended. After that it is only read and forgotten.
    public var isFinished: Bool { outcome != nil }

    /// Whether the record has only the data that answers a repeated callback.
    public var isTombstone: Bool {
        guard let outcome else { return false }
        return !outcome.isCollectable && parked == nil
    }

    /// The release that must come before the code may be redeemed; nil if the request waits for none.
    public var held: Held? {
        if case .releaseRequired(let held) = phase { held } else { nil }
    }

    /// The claim of the gateway that works on it; nil without one.
    public var claim: Claim? {
        switch phase {
        case .claimed(let claim), .redeeming(let claim): claim
        case .pending, .releaseRequired, .finished: nil
        }
    }

    /// Until when the request is remembered once it is over: for as long again as it could have lived, and for a minute
    /// at least, so that a late or repeated callback gets its own answer.
    public var rememberedUntil: Timestamp {
        var end = max(expiresAt, held?.until ?? expiresAt)
        // An expired request ended when it was due, however late the first look came.
        if let outcome, outcome.kind != .expired { end = max(end, outcome.finishedAt) }
        return end + max(expiresAt - createdAt, .seconds(60))
    }

    /// The next time at which time changes the request, so that a store must look at it again.
    public var dueAt: Timestamp {
        let due =
            switch phase {
            case .pending: expiresAt
            case .claimed(let claim), .redeeming(let claim): claim.lease
            case .releaseRequired(let held): held.until
            case .finished(let outcome): outcome.isCollectable ? outcome.discardAt : rememberedUntil
            }
        return parked.map { min($0.until, due) } ?? due
    }

    /// Whether the request has been over for so long that it can be forgotten.
    public func isForgotten(at now: Timestamp) -> Bool {
        isTombstone && now >= rememberedUntil
    }
}
