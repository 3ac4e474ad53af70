internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardRedemption

extension APIError {
    /// A push that brought no reference: 400 with the issuer's error where the issuer decided, else 503.
    init(push failure: SignInFailure) {
        guard failure.isRefusal else {
            self.init(
                .serviceUnavailable, "temporarily_unavailable",
                failure.description?.text ?? "the issuer does not answer", retryAfter: failure.retryAfter ?? 5)
            return
        }
        let words = failure.description.map { ": \($0.text)" } ?? ""
        self.init(.badRequest, failure.errorName, "the issuer refuses the pushed authorization request\(words)")
    }
}

extension SignInFailure {
    /// The issuer's name for the error where it is one word, else ours.
    fileprivate var errorName: String {
        guard let name = oauthError?.text, (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else { return code.rawValue }
        return name
    }
}
