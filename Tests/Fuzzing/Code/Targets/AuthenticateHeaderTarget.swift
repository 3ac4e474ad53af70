import SwitchyardCrypto
import SwitchyardOAuth

@testable import SwitchyardClient

/// The `WWW-Authenticate` header of an API, and the claims challenge in it.
enum AuthenticateHeaderTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        let challenge = ClaimsChallenge(wwwAuthenticate: text)
        try checkBearer(text)
        guard let header = AuthenticateHeader(text) else {
            return try require(challenge == nil, "a header that cannot be read challenges nobody")
        }
        try checkSize(header, text)
        try checkWrittenBack(header)
        try checkNeighbours(header, text)
        let isBearer = header.challenges.contains { $0.scheme == "bearer" && $0.parameters["claims"] != nil }
        try require(challenge == nil || isBearer, "claims are of a Bearer challenge")
        if let challenge { try check(challenge) }
    }

    /// The challenge of a resource, with the scopes and the place of the metadata that it names.
    private static func checkBearer(_ text: String) throws(BrokenInvariant) {
        let challenge: BearerChallenge?
        do throws(BearerChallengeError) {
            challenge = try BearerChallenge(wwwAuthenticate: text)
        } catch {
            let isRead = AuthenticateHeader(text) != nil
            return try require(isRead == (error == .invalidScope), "a header that can be read fails by its scope only")
        }
        for name in challenge?.scope?.names ?? [] {
            try require(!name.isEmpty && !name.utf8.contains(where: isInvisible), "a scope is one visible word")
        }
        try require(
            challenge?.asksForMoreScope != true || challenge?.error == "insufficient_scope",
            "only its error asks for more")
        // A step-up is read from the same header, and must not end the process.
        if let stepUp = try? StepUpChallenge(text) {
            try require(stepUp.stepUp.acrValues != nil || stepUp.stepUp.maxAge != nil, "a step-up asks for something")
        }
    }

    private static func checkSize(_ header: AuthenticateHeader, _ text: String) throws(BrokenInvariant) {
        var size = 0
        for challenge in header.challenges {
            try require(!challenge.scheme.isEmpty, "a challenge has a scheme")
            size += challenge.scheme.utf8.count
            for (name, value) in challenge.parameters { size += name.utf8.count + value.utf8.count }
        }
        try require(size <= text.utf8.count, "reading makes nothing longer")
    }

    private static func checkWrittenBack(_ header: AuthenticateHeader) throws(BrokenInvariant) {
        let written = header.challenges.map { write($0, ", ") }.joined(separator: ", ")
        guard written.utf8.count <= 16 * 1024 else { return }
        try require(isSame(AuthenticateHeader(written), header.challenges), "a header that is written back is the same")
        for challenge in header.challenges where challenge.parameters.count > 1 {
            try require(AuthenticateHeader(write(challenge, " ")) == nil, "a comma stands between parameters")
        }
    }

    /// Other challenges in the field do not change a challenge.
    private static func checkNeighbours(_ header: AuthenticateHeader, _ text: String) throws(BrokenInvariant) {
        guard text.utf8.count < 8000 else { return }
        let twice = AuthenticateHeader("\(text), \(text)")
        try require(isSame(twice, header.challenges + header.challenges), "two headers in one are both")
        let behind = AuthenticateHeader("Negotiate YWI= , \(text)")
        try require(isSame(behind.map { $0.challenges.dropFirst() }, header.challenges), "a token hides no challenge")
        try require(AuthenticateHeader("\(text), Bearer a=\"\\") == nil, "a text that does not end makes no header")
    }

    private static func check(_ challenge: ClaimsChallenge) throws(BrokenInvariant) {
        let bytes = Array(challenge.claims.utf8)
        for text in [Base64URL.encode(bytes), Base64.encode(bytes)] where text.utf8.count < 16000 {
            let again = ClaimsChallenge(wwwAuthenticate: "Bearer claims=\"\(text)\"")
            try require(again?.claims == challenge.claims, "claims in base64 are the same")
        }
        // Its claims go to the parser of claims requests only.
        try ClaimsRequestTarget.check(bytes)
    }

    private static func write(_ challenge: AuthenticateHeader.Challenge, _ separator: String) -> String {
        let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { name, value in
            let quoted = value.utf8.flatMap { byte in
                byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
            }
            return "\(name)=\"\(String(decoding: quoted, as: UTF8.self))\""
        }
        return ([challenge.scheme] + [parameters.joined(separator: separator)].filter { !$0.isEmpty })
            .joined(separator: " ")
    }

    private static func isSame(
        _ header: AuthenticateHeader?, _ challenges: [AuthenticateHeader.Challenge]
    ) -> Bool {
        isSame(header.map { $0.challenges[...] }, challenges)
    }

    private static func isSame(
        _ found: ArraySlice<AuthenticateHeader.Challenge>?, _ challenges: [AuthenticateHeader.Challenge]
    ) -> Bool {
        guard let found, found.count == challenges.count else { return false }
        return zip(found, challenges).allSatisfy { left, right in
            left.scheme == right.scheme && left.parameters.count == right.parameters.count
                && left.parameters.allSatisfy { name, value in
                    right.parameters[name].map { $0.utf8.elementsEqual(value.utf8) } ?? false
                }
        }
    }
}
