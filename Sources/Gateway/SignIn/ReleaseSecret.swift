internal import SwitchyardCrypto
internal import SwitchyardPendingRequests

/// The two proofs that release a held code, a short code and a ticket. They follow from the secret in the cookie of the browser
/// that brought the callback: so only that browser can be shown them, and no store keeps them.
enum ReleaseSecret {
    /// Consonants only, so that no code spells a word; none that is taken for another in print or by ear.
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 6

    /// The short code for a person to type: about 26 bits, for the tries and the time that `Limits` allow.
    static func code(of secret: Secret) -> String {
        var number = SHA256Digest(of: "release code \(secret.exposedText)").prefix
        var letters: [UInt8] = []
        for _ in 0..<length {
            letters.append(alphabet[Int(number % UInt64(alphabet.count))])
            number /= UInt64(alphabet.count)
        }
        letters.insert(UInt8(ascii: "-"), at: length / 2)
        return String(decoding: letters, as: UTF8.self)
    }

    /// The one-time ticket that the browser carries to the app: 128 bits.
    static func ticket(of secret: Secret) -> String {
        Base64URL.encode(Array(SHA256Digest(of: "release ticket \(secret.exposedText)").bytes.prefix(16)))
    }

    /// What a code is compared by. Case, spaces and hyphens do not count.
    static func digest(ofCode code: String) -> SHA256Digest {
        let letters = code.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        return SHA256Digest(of: "code \(letters)")
    }

    static func digest(ofTicket ticket: String) -> SHA256Digest {
        SHA256Digest(of: "ticket \(ticket)")
    }

    /// What the proof that a browser can show is compared by.
    static func digest(of secret: Secret, _ proof: RequestRecord.Held.Proof) -> SHA256Digest {
        switch proof {
        case .code: digest(ofCode: code(of: secret))
        case .ticket: digest(ofTicket: ticket(of: secret))
        }
    }
}
