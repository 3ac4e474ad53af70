internal import SwitchyardJOSE
internal import SwitchyardOAuth

/// Clients of resources that prove themselves by a key or a certificate.
extension ResourcesSection {
    /// - Returns: nil for another method, and for one with mistakes, which are reported; and the keys that the gateway
    ///   publishes.
    func keyAuthentication(
        _ method: String?, _ reader: MappingReader<ClientKey>
    ) -> (ClientAuthentication?, ClientKeys) {
        let unused = "token_endpoint_auth_method is \(method ?? "not private_key_jwt or one with a certificate")"
        if method != "private_key_jwt" { reader.refuse([.signingKeys], because: unused) }
        if method?.hasSuffix("tls_client_auth") != true {
            reader.refuse([.tlsClientCertificate, .tlsClientKey], because: unused)
        }
        switch method {
        case "private_key_jwt":
            let keys = reader[.signingKeys].map { SigningKeysSection(taken: [], context: context).decode($0) } ?? []
            if let first = keys.first { return (.privateKeyJWT(first), ClientKeys(signing: keys)) }
            if reader[.signingKeys] == nil {
                context.error(
                    at: reader.mark(of: .tokenEndpointAuthMethod), "private_key_jwt without signing_keys",
                    "write signing_keys: [{ id, key_file }]; make a key by: switchyard keys new --kind signing --file FILE"
                )
            }
            return (nil, .none)
        case "tls_client_auth":
            let certificate = context.clientCertificate(reader, .tlsClientCertificate, .tlsClientKey)
            return (certificate.map { .tlsClientAuth($0) }, .none)
        case "self_signed_tls_client_auth":
            let certificate = context.clientCertificate(reader, .tlsClientCertificate, .tlsClientKey)
            return (certificate.map { .selfSignedTLSClientAuth($0) }, ClientKeys(certificate: certificate))
        default: return (nil, .none)
        }
    }
}
