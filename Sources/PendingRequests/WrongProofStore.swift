public import SwitchyardCrypto
internal import SwitchyardReactor

/// A wrong proof that an app gave for a release, as the gateways of one store tell each other of it.
public struct WrongProof: Hashable, Sendable {
    /// The digest of the app and the beginner's network, which count together.
    public let group: ShortDigest
    /// Stands for the sign-in: after a right proof for it, its wrong ones no longer count.
    public let signIn: UInt64
    /// The number that distinguishes two wrong proofs of one moment.
    public let number: UInt64
    /// The time at which it was given.
    public var at: Timestamp

    /// A wrong proof with a number of its own.
    public init(group: ShortDigest, signIn: RequestID, at: Timestamp) {
        self.init(group: group, signIn: Self.digest(of: signIn), number: Random.number(), at: at)
    }

    private init(group: ShortDigest, signIn: UInt64, number: UInt64, at: Timestamp) {
        self.group = group
        self.signIn = signIn
        self.number = number
        self.at = at
    }

    /// A one-way name of the sign-in: readers cannot learn the request's id from it.
    public static func digest(of signIn: RequestID) -> UInt64 { SHA256Digest(of: "wrong proofs \(signIn)").prefix }

    /// Reads a wrong proof from its ``name``; nil for anything else.
    public init?(name: some Sequence<UInt8>, at: Timestamp) {
        guard let bytes = Base64URL.decode(Array(name)), bytes.count == 32,
            let group = ShortDigest(bytes: bytes.prefix(16))
        else { return nil }
        self.init(group: group, signIn: Self.number(bytes[16..<24]), number: Self.number(bytes[24...]), at: at)
    }

    /// The wrong proof without its time, as text. No two have the same name.
    public var name: [UInt8] {
        Array(Base64URL.encode(group.bytes + Self.bytes(signIn) + Self.bytes(number)).utf8)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}

/// The news of wrong proofs that a gateway gets.
public enum WrongProofNews: Sendable {
    case given([WrongProof])
    /// The right proof came for their sign-in.
    case forgiven(WrongProof)
}

/// Shares wrong proofs among the gateways of a store, so that guessing at several gateways gains an attacker no extra
/// tries. A store of one gateway does not share: that gateway counts in its memory, and begins anew after a restart.
/// Safe from any thread.
public protocol WrongProofStore: Sendable {
    /// Tells the other gateways of a wrong proof.
    func share(_ proof: WrongProof) async throws(StoreError)

    /// Tells the other gateways that these wrong proofs no longer count.
    func forgive(_ proofs: [WrongProof]) async throws(StoreError)

    /// Calls `tell` with the wrong proofs of the last hour, and with each that another gateway shares from now on. Some may come
    /// twice; those that came while the store was out come later.
    func followWrongProofs(_ tell: @escaping @Sendable (WrongProofNews) -> Void)
}

extension WrongProofStore {
    public func share(_ proof: WrongProof) async throws(StoreError) {}

    public func forgive(_ proofs: [WrongProof]) async throws(StoreError) {}

    public func followWrongProofs(_ tell: @escaping @Sendable (WrongProofNews) -> Void) {}
}

extension RequestRegistry {
    /// Tells the other gateways of a wrong proof. If the store is out, the others miss it; this gateway still counts
    /// it.
    public func share(_ proof: WrongProof) async {
        try? await store.share(proof)
    }

    /// Tells the other gateways that these wrong proofs no longer count. If the store is out, they count there until they
    /// are an hour old.
    public func forgive(_ proofs: [WrongProof]) async {
        if !proofs.isEmpty { try? await store.forgive(proofs) }
    }

    /// Calls `tell` with the news of wrong proofs (``WrongProofStore/followWrongProofs(_:)``), and with the present time. A
    /// wrong proof with a time in the future counts as given now.
    public func followWrongProofs(_ tell: @escaping @Sendable (WrongProofNews, Timestamp) -> Void) {
        store.followWrongProofs { [clock] news in
            let now = clock()
            guard case .given(var proofs) = news else { return tell(news, now) }
            for index in proofs.indices { proofs[index].at = min(proofs[index].at, now) }
            tell(.given(proofs), now)
        }
    }
}
