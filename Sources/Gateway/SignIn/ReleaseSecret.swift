internal import SwitchyardCrypto
internal import SwitchyardPendingRequests

/// The two proofs that release a held code, a short code and a ticket. They follow from the secret in the cookie of the browser
/// that brought the callback: so only that browser can be shown them, and no store keeps them.
enum ReleaseSecret {
    /// Consonants only, so that no code spells a word. Letters that look or sound alike are left out.
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 8
    /// The length of the code of an earlier version, which is the beginning of ours.
    private static let earlierLength = 6

    /// The short code for a person to type, shown in two groups of four: 34 bits. `Limits` bounds the tries and the time of one
    /// sign-in, ``WrongProofs`` the tries of a network.
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

    /// The digest by which a code is compared. Case, spaces and hyphens do not count.
    static func digest(ofCode code: String) -> SHA256Digest {
        digest(ofLetters: letters(of: code))
    }

    /// The digests that a typed code may stand for. While gateways are upgraded, a code that the earlier version held is
    /// compared by its six letters, and our page shows eight.
    static func digests(ofCode code: String) -> [SHA256Digest] {
        let letters = letters(of: code)
        guard letters.count > earlierLength else { return [digest(ofLetters: letters)] }
        return [digest(ofLetters: letters), digest(ofLetters: String(letters.prefix(earlierLength)))]
    }

    private static func letters(of code: String) -> String {
        code.uppercased().filter { $0 != "-" && !$0.isWhitespace }
    }

    private static func digest(ofLetters letters: String) -> SHA256Digest { SHA256Digest(of: "code \(letters)") }

    static func digest(ofTicket ticket: String) -> SHA256Digest {
        SHA256Digest(of: "ticket \(ticket)")
    }

    /// The digest by which the browser's proof is compared.
    static func digest(of secret: Secret, _ proof: RequestRecord.Held.Proof) -> SHA256Digest {
        switch proof {
        case .code: digest(ofCode: code(of: secret))
        case .ticket: digest(ofTicket: ticket(of: secret))
        }
    }
}
