import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth

/// The parameters of a callback: a query, and behind the byte FF, which can stand in neither, a content.
enum AuthorizationResponseTarget {
    private static let marker: UInt8 = 0xFF
    private static let decisive = ["code", "state", "error", "iss", "response", "id_token"]

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let mark = bytes.firstIndex(of: marker)
        try check(query: Array(bytes[..<(mark ?? bytes.endIndex)]), content: mark.map { Array(bytes[($0 + 1)...]) })
    }

    static func check(query: [UInt8], content: [UInt8]?) throws(BrokenInvariant) {
        let response: AuthorizationResponse
        do throws(AuthorizationResponseError) {
            response = try AuthorizationResponse.parse(query: query, content: content)
        } catch {
            try require(
                error.description.utf8.count < 100 && !error.description.utf8.contains { $0 >= 0x7F },
                "a refusal has words of its own")
            return
        }
        try check(response, length: query.count + (content?.count ?? 0))
        try checkWrittenBack(response)
        if let content {
            try require(
                (try? AuthorizationResponse.parse(query: content, content: query)) != nil,
                "query and content are judged as one")
        }
    }

    private static func check(_ response: AuthorizationResponse, length: Int) throws(BrokenInvariant) {
        let parameters = response.parameters
        try require(
            parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= length,
            "decoding makes nothing longer")
        for name in decisive {
            // Byte for byte: two names that only look alike are two names.
            let count = parameters.count { $0.name.utf8.elementsEqual(name.utf8) }
            try require(count <= 1, "\(name) stands once")
        }
        func value(_ name: String) -> String? { parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value }
        let state = value("state") ?? ""
        try require(response.state == Secret(state), "the state is the one that came")
        try require((1...AuthorizationResponse.maximumLength).contains(state.utf8.count), "a state is bounded")
        let (code, error) = (value("code") ?? "", value("error") ?? "")
        switch response.outcome {
        case .code(let secret): try require(error.isEmpty && secret == Secret(code) && !code.isEmpty, "a code alone")
        case .error(let answer):
            try require(code.isEmpty && answer.error == IssuerText(error) && !error.isEmpty, "an error alone")
            try checkTexts(answer)
        }
        try require(response.issuer == value("iss"), "the issuer is the one that came")
    }

    /// A failure holds the issuer's words bounded, without terminal control characters.
    private static func checkTexts(_ error: AuthorizationError) throws(BrokenInvariant) {
        let texts = [error.error, error.errorDescription, error.suberror, error.correlationID].compactMap { $0 }
        for text in texts {
            try require(text.text.utf8.count <= IssuerText.maximumLength, "a text is bounded")
            try require(IssuerText(text.text) == text, "a clean text stays as it is")
        }
        let scalars = (texts.map(\.text) + [error.claims?.text ?? ""]).joined().unicodeScalars
        for scalar in scalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: try require(false, "no control is left")
            default: try require(!scalar.properties.isBidiControl, "no control of the direction is left")
            }
        }
        try require((error.claims?.text.utf8.count ?? 0) <= IssuerClaims.maximumLength, "claims are bounded")
        let told = SignInFailure(error).beforeRelease
        try require(told.json.members.allSatisfy { toldBeforeRelease.contains($0.name) }, "little is told at first")
        if let words = told.description?.text {
            try require(
                (words.hasPrefix("AADSTS") || words.hasPrefix("AADB2C")) && words.utf8.count <= 16,
                "a number at most is told at first")
        }
    }

    private static let toldBeforeRelease: Set<String> = ["code", "internal_code", "oauth_error", "description"]

    private static func checkWrittenBack(_ response: AuthorizationResponse) throws(BrokenInvariant) {
        let written = FormEncoding.encode(response.parameters.map { ($0.name, $0.value) })
        let fields = try? FormEncoding.decode(written, maximumFields: response.parameters.count)
        try require(fields == response.parameters, "parameters that are written back are the same")
        guard written.count <= AuthorizationResponse.maximumLength, response.parameters.count <= 100 else { return }
        let again = try? AuthorizationResponse.parse(query: written, content: nil)
        try require(
            again?.state == response.state && again?.parameters == response.parameters,
            "a response that is written back is the same")
    }
}
