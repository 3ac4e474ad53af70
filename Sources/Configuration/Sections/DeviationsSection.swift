internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardText

/// `deviations:` of an issuer: the rules of the protocol that it breaks.
struct DeviationsSection {
    enum Key: String, ConfigurationKey {
        case pkce
        case nonce
        case idToken = "id_token"
        case idTokenAlgorithms = "id_token_algorithms"
        case tokenRequest = "token_request"
        case tokenResponse = "token_response"
        case tokenType = "token_type"
        case tokenPath = "token_path"
        case scopeSeparator = "scope_separator"
        case refreshEndpoint = "refresh_endpoint"
        case parameterNames = "parameter_names"
        case assertionAudience = "assertion_audience"
    }

    private let reader: MappingReader<Key>
    private let endpoint: (YAMLNode) -> EndpointURL?

    private var context: DecodingContext { reader.context }

    /// Reads the keys that are there; errors are reported.
    /// - Parameters:
    ///   - base: the deviations for the keys that are absent.
    ///   - endpoint: reads the address of an endpoint.
    static func decode(
        _ node: YAMLNode, over base: Deviations = .none, in context: DecodingContext,
        endpoint: @escaping (YAMLNode) -> EndpointURL?
    ) -> Deviations {
        guard let reader = MappingReader<Key>(node, in: context) else { return base }
        return DeviationsSection(reader: reader, endpoint: endpoint).decode(over: base)
    }

    private init(reader: MappingReader<Key>, endpoint: @escaping (YAMLNode) -> EndpointURL?) {
        self.reader = reader
        self.endpoint = endpoint
    }

    private func decode(over base: Deviations) -> Deviations {
        var deviations = base
        read(.pkce, ["on": false, "off": true], into: &deviations.omitsPKCE)
        read(.nonce, ["on": false, "off": true], into: &deviations.omitsNonce)
        read(.idToken, ["required": false, "none": true], into: &deviations.hasNoIDTokens)
        read(.tokenRequest, ["form": false, "json": true], into: &deviations.sendsJSONTokenRequests)
        read(.tokenResponse, ["json": false, "form": true], into: &deviations.readsFormTokenResponses)
        read(.tokenType, ["bearer": false, "any": true], into: &deviations.acceptsAnyTokenType)
        read(
            .assertionAudience, ["issuer": false, "token_endpoint": true], into: &deviations.addressesTokenEndpoint)
        if let node = reader[.idTokenAlgorithms] { deviations.idTokenAlgorithms = algorithms(node) }
        if let node = reader[.tokenPath] { deviations.tokenPath = context.pointer(node) }
        if let separator = reader[.scopeSeparator].flatMap({ self.separator($0) }) {
            deviations.scopeSeparator = separator
        }
        if let node = reader[.refreshEndpoint] { deviations.refreshEndpoint = endpoint(node) }
        if let node = reader[.parameterNames] {
            deviations.parameterNames = ParameterNamesSection.decode(node, in: context)
        }
        if deviations.hasNoIDTokens {
            reader.refuse([.nonce, .idTokenAlgorithms], because: "with id_token: none there is no ID token")
        }
        return deviations
    }

    /// Reads a key with two words. The first one keeps the protocol, for a key that a preset sets.
    private func read(_ key: Key, _ words: KeyValuePairs<String, Bool>, into value: inout Bool) {
        guard let node = reader[key] else { return }
        if let word = context.choice(node, words.map { ($0.key, $0.value) }) { value = word }
    }

    private func algorithms(_ node: YAMLNode) -> [IDTokenAlgorithm]? {
        let remedy = "write some of \(IDTokenAlgorithm.names.joined(separator: ", "))"
        if node.isEmptyList {
            context.error(at: node.mark, "an empty list of algorithms", remedy)
            return nil
        }
        return context.list(node) { element in
            guard let name = context.text(element, remedy) else { return nil }
            if let algorithm = IDTokenAlgorithm(name: name) { return algorithm }
            context.error(
                at: element.mark, "the algorithm \"\(name)\" for ID tokens",
                name.asciiLowercased == "none"
                    ? "an ID token without a signature proves nothing; write id_token: none if the provider signs none"
                    : remedy)
            return nil
        }
    }

    private func separator(_ node: YAMLNode) -> Character? {
        context.value(node, "write the one character that stands between two scopes, such as \",\"") { text in
            guard text.utf8.count == 1, let byte = text.utf8.first, (0x20...0x7E).contains(byte),
                !ASCII.isAlphanumeric(byte), ![UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte)
            else { return nil }
            return text.first
        }
    }
}

extension DecodingContext {
    /// A JSON pointer to a member of an answer.
    func pointer(_ node: YAMLNode) -> JSONPointer? {
        value(node, "write a JSON pointer, such as /data/id") { text in
            text.isEmpty ? nil : JSONPointer(text)
        }
    }
}
