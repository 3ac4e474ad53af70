internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The fields of a begin that say how the person must sign in.
extension StepUp {
    /// Reads `acr_values`, `max_age` and `authorization_details`, and the challenge of a resource in `www_authenticate`.
    init(_ content: JSONContent) throws(APIError) {
        self.init(
            acrValues: try Self.acrValues(content), maxAge: try Self.maxAge(content),
            authorizationDetails: try Self.authorizationDetails(content))
        guard let challenge = try Self.challenge(content) else { return }
        for (name, isTwice) in [
            ("acr_values", acrValues != nil && challenge.acrValues != nil),
            ("max_age", maxAge != nil && challenge.maxAge != nil),
        ] where isTwice {
            throw .invalidRequest("\"\(name)\" stands in \"www_authenticate\" too; give one of the two")
        }
        acrValues = acrValues ?? challenge.acrValues
        maxAge = maxAge ?? challenge.maxAge
    }

    private static func challenge(_ content: JSONContent) throws(APIError) -> StepUp? {
        guard let header = try content.challenge() else { return nil }
        guard let stepUp = try StepUpChallenge.reading(header) else {
            // A resource's challenge also says where its metadata are, and which scopes a call needs.
            if content["resource"] != nil { return nil }
            throw .invalidRequest(
                "\"www_authenticate\" has no challenge with the error insufficient_user_authentication (RFC 9470), so "
                    + "there is nothing to ask for; leave it out")
        }
        return stepUp
    }

    private static func acrValues(_ content: JSONContent) throws(APIError) -> String? {
        guard let text = try content.text("acr_values") else { return nil }
        guard text.contains(where: { $0 != " " }) else { throw .invalidRequest("\"acr_values\" names no value") }
        return text
    }

    private static func maxAge(_ content: JSONContent) throws(APIError) -> Int64? {
        guard let value = content.value("max_age") else { return nil }
        guard case .integer(let seconds) = value, ages.contains(seconds) else {
            throw .invalidRequest(
                "\"max_age\" has to be a whole number of seconds from \(ages.lowerBound) to \(ages.upperBound)")
        }
        return seconds
    }

    private static func authorizationDetails(_ content: JSONContent) throws(APIError) -> String? {
        guard let value = content.value("authorization_details") else { return nil }
        guard let details = value.array, !details.isEmpty,
            details.allSatisfy({ $0.object?["type"]?.string.map { !$0.isEmpty } ?? false })
        else {
            throw .invalidRequest(
                "\"authorization_details\" has to be an array of objects, each with a \"type\" (RFC 9396 section 2)")
        }
        return String(decoding: value.serialized, as: UTF8.self)
    }
}

extension JSONContent {
    /// `www_authenticate`; nil where it is left out.
    func challenge() throws(APIError) -> String? {
        try text("www_authenticate", maximum: StepUpChallenge.maximumLength)
    }
}

extension StepUpChallenge {
    /// The demands in a header; nil if the header demands something else.
    static func reading(_ header: String) throws(APIError) -> StepUp? {
        do throws(StepUpChallengeError) {
            return try StepUpChallenge(header)?.stepUp
        } catch {
            throw .invalidRequest("\"www_authenticate\" \(error)")
        }
    }
}
