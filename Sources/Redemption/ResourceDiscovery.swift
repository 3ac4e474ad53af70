public import SwitchyardHTTPClient
internal import SwitchyardJSON
public import SwitchyardOAuth
internal import SwitchyardText

/// A resource and the authorization server that signs people in to it.
public struct DiscoveredResource: Sendable {
    public let resource: ProtectedResourceMetadata
    public let server: AuthorizationServerMetadata
}

/// Finds the way to sign in to a resource by its URL alone: its metadata (RFC 9728), then those of its authorization
/// server (RFC 8414), by the rules for addresses that others gave.
public struct ResourceDiscovery {
    private let client: HTTPClient
    private let rules: GivenAddressRules
    private var documentsLeft = GivenAddressRules.maximumDocuments

    public init(_ redeemer: Redeemer, _ rules: GivenAddressRules) {
        client = redeemer.client
        self.rules = rules
    }

    /// - Parameters:
    ///   - metadata: where the operator says that the resource's metadata are; nil for the usual places.
    ///   - challenge: of a call that the resource refused.
    ///   - onlyIssuer: the issuer of a client that was registered by hand.
    public mutating func discover(
        _ asked: ResourceURL, metadata: EndpointURL?, challenge: BearerChallenge?, onlyIssuer: String?
    ) async throws(ResourceRefusal) -> DiscoveredResource {
        let resource = try await resourceMetadata(asked, metadata, challenge)
        let issuer = try chosenIssuer(resource, onlyIssuer)
        let server = try await serverMetadata(issuer)
        guard server.takesS256 else { throw .noPKCE(issuer: issuer.text) }
        return DiscoveredResource(resource: resource, server: server)
    }

    // MARK: The resource

    private mutating func resourceMetadata(
        _ asked: ResourceURL, _ configured: EndpointURL?, _ challenge: BearerChallenge?
    ) async throws(ResourceRefusal) -> ProtectedResourceMetadata {
        let addresses = try addresses(asked, configured, challenge)
        var last: (address: String, status: Int?) = (addresses[0], nil)
        for address in addresses {
            let answer = try await get(address)
            last = (address, answer?.status)
            guard let answer else { break }
            if answer.status == 200, let json = (try? JSONValue.parse(answer.body))?.object {
                do throws(ProtectedResourceMetadataError) {
                    return try ProtectedResourceMetadata.parse(
                        json, for: asked, allowingLoopbackHTTP: rules.isNamed(asked.text))
                } catch {
                    throw .notAResource("\(address): \(error)")
                }
            }
            // A server without such metadata says so in many ways; one that is out says nothing.
            guard answer.status == 200 || (400...499).contains(answer.status), answer.status != 429 else { break }
        }
        if let status = last.status, status == 200 || (400...499).contains(status), status != 429 {
            throw .notAResource("there are no metadata of a protected resource (RFC 9728) at \(last.address)")
        }
        throw .discoveryFailed(address: last.address, status: last.status)
    }

    /// The address in a challenge counts only at the resource's own origin: the caller must not choose the issuer.
    private func addresses(
        _ asked: ResourceURL, _ configured: EndpointURL?, _ challenge: BearerChallenge?
    ) throws(ResourceRefusal) -> [String] {
        guard let text = challenge?.resourceMetadata, configured?.text.isExactly(text) != true else {
            return configured.map { [$0.text] } ?? asked.metadataAddresses
        }
        guard let url = try? EndpointURL(text, allowingLoopbackHTTP: rules.isNamed(text)), url.origin == asked.origin
        else {
            throw .notAResource(
                "the challenge's resource_metadata is not at \(asked.origin), so it does not count; an entry's metadata: names "
                    + "another place")
        }
        // The operator knows better than the resource where its metadata are.
        return [configured?.text ?? url.text]
    }

    // MARK: The authorization server

    private func chosenIssuer(
        _ resource: ProtectedResourceMetadata, _ only: String?
    ) throws(ResourceRefusal) -> EndpointURL {
        for text in resource.authorizationServers {
            if let only, !only.isExactly(text) { continue }
            if let url = try? EndpointURL(text, allowingLoopbackHTTP: rules.isNamed(text)), url.query == nil,
                !rules.refusesHost(of: text)
            {
                return url
            }
        }
        if let only {
            throw .issuerNotAllowed("the resource does not name \(only), where the entry's client is registered")
        }
        throw .issuerNotAllowed(
            "the resource names no https authorization server of the internet, or of a host that the entry names")
    }

    private mutating func serverMetadata(_ issuer: EndpointURL) async throws(ResourceRefusal)
        -> AuthorizationServerMetadata
    {
        var last: (address: String, status: Int?) = (issuer.text, nil)
        for address in AuthorizationServerMetadata.addresses(of: issuer) {
            let answer = try await get(address)
            last = (address, answer?.status)
            guard let answer else { break }
            if answer.status == 200, let json = (try? JSONValue.parse(answer.body))?.object, json["issuer"] != nil {
                do throws(IssuerMetadataError) {
                    return try AuthorizationServerMetadata.parse(
                        json, issuer: issuer.text, allowingLoopbackHTTP: rules.isNamed(issuer.text))
                } catch {
                    if error == .wrongIssuer {
                        throw .issuerNotAllowed("the metadata at \(address) are of another issuer than \(issuer.text)")
                    }
                    throw .discoveryFailed(address: address, status: 200)
                }
            }
            guard answer.status == 200 || (400...499).contains(answer.status), answer.status != 429 else { break }
        }
        throw .discoveryFailed(address: last.address, status: last.status)
    }

    /// - Returns: nil where no answer came.
    private mutating func get(_ address: String) async throws(ResourceRefusal) -> IncomingResponse? {
        guard documentsLeft > 0 else { throw .discoveryFailed(address: address, status: nil) }
        documentsLeft -= 1
        do throws(TransferError) {
            return try await client.send(rules.request(.get, address))
        } catch {
            return nil
        }
    }
}
