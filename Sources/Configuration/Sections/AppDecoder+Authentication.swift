internal import SwitchyardOAuth

extension AppDecoder {
    private enum Method { case none, basic, post }

    /// How the client proves itself at the token endpoint; nil when that is wrong, which is reported.
    func authentication() -> ClientAuthentication? {
        let written = reader.secret(.clientSecret, file: .clientSecretFile)
        guard let method = method(hasSecret: written.isGiven) else { return nil }
        if method == .none {
            reader.refuse([.clientSecret, .clientSecretFile], because: "token_endpoint_auth_method is none")
            return ClientAuthentication.none
        }
        guard written.isGiven else {
            context.error(
                at: reader.mark(of: .tokenEndpointAuthMethod), "a method of client authentication without a secret",
                "name the file that holds it: client_secret_file")
            return nil
        }
        return written.secret.map { method == .basic ? .clientSecretBasic($0) : .clientSecretPost($0) }
    }

    /// The names are those of RFC 7591 section 2; a secret without a method is sent by Basic, which every issuer that
    /// issues secrets must take (RFC 6749 section 2.3.1).
    private func method(hasSecret: Bool) -> Method? {
        guard let node = reader[.tokenEndpointAuthMethod] else { return hasSecret ? .basic : Method.none }
        return context.choice(
            node, [("none", .none), ("client_secret_basic", .basic), ("client_secret_post", .post)],
            later: ["client_secret_jwt", "private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth"])
    }
}
