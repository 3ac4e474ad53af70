internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardRouting
internal import SwitchyardText
internal import Synchronization

/// Counts wrong release proofs across sign-ins, codes and tickets alike, for each app and beginner's network (rules:
/// who began is who finishes). One sign-in allows three tries; without this count an attacker begins another one and
/// goes on guessing. A right proof takes back the wrong ones of its own sign-in only: they were typing mistakes.
///
/// The table is bounded. When it is full, the groups with the fewest wrong proofs leave it first. Safe from any thread.
final class WrongProofs: Sendable {
    /// An app and the network from which its sign-ins are begun.
    struct Group: Hashable, Sendable {
        let app: AppID
        /// An IPv4 /24, an IPv6 /48, or a user of this machine.
        let network: String

        init(app: AppID, _ caller: CallerKey) {
            self.app = app
            network = caller.networkText
        }

        /// - Parameter beginner: the caller as the request's record names it; nil for a record that no longer says it.
        init(app: AppID, beginner: String?) {
            self.app = app
            network = beginner.flatMap { CallerKey(text: $0)?.networkText ?? $0 } ?? "unknown"
        }

        fileprivate var digest: ShortDigest { ShortDigest(SHA256Digest(of: "wrong proofs \(network) \(app)")) }
    }

    /// The verdict on a given proof.
    enum Verdict: Sendable {
        /// The wrong ones that were given for the same sign-in before do not count any more: its person has made a mistake.
        case right(forgiven: [WrongProof])
        /// It counts.
        /// - Parameter isNews: whether the network has no more tries now, and that was not reported within the last
        ///   hour.
        case wrong(WrongProof, isNews: Bool)
        /// The network has had its tries; the proof was not judged.
        case tooMany(retryAfter: Int)
    }

    /// How many wrong proofs of a group are judged in an hour.
    static let maximum = 30
    private static let hour = Duration.seconds(3600)
    private static let maximumGroups = 8192

    private struct Entry {
        /// The latest ones, the oldest first; never more than ``WrongProofs/maximum``.
        var proofs: [WrongProof] = []
        var toldAt: Timestamp?
    }

    private let entries = Mutex<[ShortDigest: Entry]>([:])

    /// How many groups are in the table.
    var count: Int { entries.withLock(\.count) }

    /// After how many seconds a group may try again; nil while it may.
    func wait(_ group: Group, at now: Timestamp) -> Int? {
        entries.withLock { Self.wait($0[group.digest], at: now) }
    }

    /// Judges a proof and counts a wrong one, in one step.
    func judge(isRight: Bool, _ group: Group, of signIn: RequestID, at now: Timestamp) -> Verdict {
        let digest = group.digest
        return entries.withLock { entries in
            if let seconds = Self.wait(entries[digest], at: now) { return .tooMany(retryAfter: seconds) }
            if isRight { return .right(forgiven: Self.forgive(signIn, of: digest, from: &entries)) }
            let proof = WrongProof(group: digest, signIn: signIn, at: now)
            Self.add(proof, to: &entries, at: now)
            guard Self.wait(entries[digest], at: now) != nil else { return .wrong(proof, isNews: false) }
            let isNews = entries[digest]?.toldAt.map { now - $0 >= Self.hour } ?? true
            if isNews { entries[digest]?.toldAt = now }
            return .wrong(proof, isNews: isNews)
        }
    }

    /// Counts the wrong proofs at other gateways.
    func hear(_ news: WrongProofNews, at now: Timestamp) {
        entries.withLock { entries in
            switch news {
            case .given(let proofs):
                for proof in proofs where now - proof.at < Self.hour { Self.add(proof, to: &entries, at: now) }
            case .forgiven(let proof): entries[proof.group]?.proofs.removeAll { $0.number == proof.number }
            }
        }
    }

    private static func forgive(
        _ signIn: RequestID, of group: ShortDigest, from entries: inout [ShortDigest: Entry]
    ) -> [WrongProof] {
        guard let entry = entries[group], !entry.proofs.isEmpty else { return [] }
        let digest = WrongProof.digest(of: signIn)
        entries[group]?.proofs.removeAll { $0.signIn == digest }
        return entry.proofs.filter { $0.signIn == digest }
    }

    private static func wait(_ entry: Entry?, at now: Timestamp) -> Int? {
        guard let entry, entry.proofs.count >= maximum, let first = entry.proofs.first else { return nil }
        // A clock of another gateway may be ahead of ours.
        let left = min(hour - (now - first.at), hour)
        return left > .zero ? Int((left.wholeMilliseconds + 999) / 1000) : nil
    }

    private static func add(_ proof: WrongProof, to entries: inout [ShortDigest: Entry], at now: Timestamp) {
        if entries[proof.group] == nil, entries.count >= maximumGroups { makeRoom(in: &entries, at: now) }
        var entry = entries[proof.group] ?? Entry()
        guard !entry.proofs.contains(where: { $0.number == proof.number }) else { return }
        let index = entry.proofs.lastIndex { $0.at <= proof.at }.map { $0 + 1 } ?? 0
        entry.proofs.insert(proof, at: index)
        entry.proofs.removeAll { now - $0.at >= hour }
        entry.proofs.removeFirst(max(0, entry.proofs.count - maximum))
        entries[proof.group] = entry
    }

    /// Forgets the lapsed groups, or else an eighth of them.
    private static func makeRoom(in entries: inout [ShortDigest: Entry], at now: Timestamp) {
        entries = entries.filter { $0.value.proofs.contains { now - $0.at < hour } }
        guard entries.count >= maximumGroups else { return }
        let fewest = entries.sorted { $0.value.proofs.count < $1.value.proofs.count }.prefix(maximumGroups / 8)
        for (group, _) in fewest { entries[group] = nil }
    }
}

extension CallerKey {
    /// The caller of a record's ``text``, or the user of one of its programs; nil for anything else.
    fileprivate init?(text: String) {
        if text.hasPrefix("uid ") {
            // A program's name follows the user after a blank.
            guard let uid = UInt32(text.dropFirst(4).prefix { $0 != " " }) else { return nil }
            self = .user(uid)
        } else {
            guard let address = IPAddress(text) else { return nil }
            self = .address(address)
        }
    }

    /// The network as an operator writes it.
    fileprivate var networkText: String {
        switch network {
        case .address(let address): "\(address)/\(address.isIPv4 ? 24 : 48)"
        case .user(let uid), .program(_, let uid): "uid:\(uid)"
        }
    }
}
