internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardRedis

/// The names of all keys in Redis. A secret is in a key only as its digest.
///
/// All that belongs to one request is named with the tag of its partition, so that a cluster has it at one node, where
/// one script changes it. Its id and its state lead to the same partition (``RequestID/partition``).
struct Keys: Sendable {
    /// A part of the requests.
    struct Partition: Sendable {
        /// The prefix of the keys of records.
        let records: [UInt8]
        private let states: [UInt8]
        private let uses: [UInt8]
        /// Requests by when they are due.
        let due: [UInt8]
        /// The finished requests, by when they are forgotten.
        let over: [UInt8]
        /// The key that is written only to test writing.
        let beat: [UInt8]
        /// The prefix of the keys of histories, and that of the lists of their rooms.
        let histories: (prefix: [UInt8], index: [UInt8])

        init(_ base: String) {
            records = Array("\(base):r:".utf8)
            states = Array("\(base):s:".utf8)
            uses = Array("\(base):p:".utf8)
            due = Array("\(base):due".utf8)
            over = Array("\(base):over".utf8)
            beat = Array("\(base):beat".utf8)
            // Earlier programs keep histories in `h:`, as hashes.
            histories = (Array("\(base):t:".utf8), Array("\(base):tx:".utf8))
        }

        func record(_ id: RequestID) -> [UInt8] { Keys.name(records, id.bytes) }

        /// The key of the one-time uses (``OneTimeStore``) with a request, or of a callback without one.
        func uses(_ id: RequestID) -> [UInt8] { Keys.name(uses, id.bytes) }

        func state(_ hash: SHA256Digest) -> [UInt8] { Keys.name(states, ShortDigest(hash).bytes) }
    }

    let partitions: [Partition]
    /// Whether counts are at other servers than records.
    let isSpread: Bool
    let channel: [UInt8]
    /// Wrong release proofs of the last hour, by their time.
    let wrongProofs: [UInt8]
    /// The prefix of the keys of registered clients, and the list of them by when they end. They are few, so one node has all.
    let registrations: (prefix: [UInt8], index: [UInt8])
    /// The key of all counts.
    let counts: [UInt8]

    /// - Parameter isSpread: for a cluster.
    init(prefix: String, isSpread: Bool) {
        self.isSpread = isSpread
        partitions = (isSpread ? Self.spreadTags : ["0"]).map { Partition("\(prefix){\($0)}") }
        // One server counts in the same script that writes a record. In a cluster, the counts may be at any node.
        // Earlier programs count in `n`, as text.
        counts = Array((isSpread ? "\(prefix)c" : "\(prefix){0}:c").utf8)
        wrongProofs = Array((isSpread ? "\(prefix)w" : "\(prefix){0}:w").utf8)
        registrations = (Array("\(prefix){0}:g:".utf8), Array("\(prefix){0}:gx".utf8))
        channel = Array("\(prefix)changes".utf8)
    }

    func registration(_ key: ShortDigest) -> [UInt8] { Self.name(registrations.prefix, key.bytes) }

    func partition(of id: RequestID) -> Partition { partitions[id.partition % partitions.count] }

    /// The partition of a sign-in's history. It does not depend on the request, because a caller that asks for a
    /// history does not know the request.
    func partition(of reference: Reference) -> Int { Int(reference.bytes[6]) % partitions.count }

    func partition(of state: SHA256Digest) -> Partition {
        partitions[RequestID.partition(of: state) % partitions.count]
    }

    private static func name(_ beginning: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var name: [UInt8] = []
        name.reserveCapacity(beginning.count + (bytes.count * 4 + 2) / 3)
        name += beginning
        Base64URL.append(bytes, to: &name)
        return name
    }

    // MARK: Tags

    /// A tag in each of 32 equal parts of a cluster's slots, so that nodes that share the slots evenly
    /// share the requests so. More would spread better over many nodes, and each is asked by every gateway
    /// once a second for what is due.
    private static let spreadTags: [String] = {
        let count = 32
        var tags = [String](repeating: "", count: count)
        var missing = count
        var number = 0
        while missing > 0 {
            let part = HashSlot.of(Array("\(number)".utf8)) * count / HashSlot.count
            if tags[part].isEmpty {
                tags[part] = "\(number)"
                missing -= 1
            }
            number += 1
        }
        return tags
    }()
}
