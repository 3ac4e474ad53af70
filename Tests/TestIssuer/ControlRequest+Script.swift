internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON

extension ControlRequest {
    static let scriptNames: Set = [
        "grant_type", "times", "delay", "cut", "status", "error", "error_description", "suberror", "error_codes",
        "claims", "retry_after", "retry_after_date", "demo", "challenge_type",
    ]

    private static let statuses: [Status] = [
        .ok, .noContent, .badRequest, .unauthorized, .forbidden, .notFound, .requestTimeout, .conflict, .gone,
        .tooManyRequests, .internalServerError, .notImplemented, .serviceUnavailable,
    ]

    /// What the next `times` token requests (1 by default) of the client, or of every one, with this `grant_type`, or
    /// with any, are answered with; `initiate`, `challenge` and `introspect` count as grant types here:
    /// - `delay`: first wait so many milliseconds, a minute at most;
    /// - `cut`: `1` to end the connection without an answer, with nothing used up;
    /// - `error`, `error_description`, `suberror`, `error_codes` (numbers, comma-separated), `claims`; `status`: 400 by
    ///   default with an error, and without one an answer that is no JSON;
    /// - `retry_after`: the field, as it is; `retry_after_date`: a date so many seconds from the answer;
    /// - `challenge_type`: `redirect`, for native authentication;
    /// - `demo`: misbehaviors, comma-separated.
    ///
    /// Without `cut`, `error`, `status` and `challenge_type` the request takes its course, with `delay`,
    /// `retry_after` and `demo`.
    static func entry(_ parameters: RequestParameters) throws(UnknownValue) -> TokenScript.Entry {
        var entry = TokenScript.Entry(clientID: parameters["client"])
        entry.grantType = try parameters.read("grant_type") { RequestKind(rawValue: $0) }
        entry.times = try parameters.read("times") { number($0, in: 1...1_000_000) }.map { Int($0) } ?? 1
        entry.answer.delay = .milliseconds(try parameters.read("delay") { number($0, in: 0...60_000) } ?? 0)
        entry.answer.isCut = try parameters.read("cut") { $0 == "1" ? true : nil } ?? false
        entry.answer.redirects = try parameters.read("challenge_type") { $0 == "redirect" ? true : nil } ?? false
        entry.answer.status = try parameters.read("status") { text in statuses.first { String($0.code) == text } }
        entry.answer.error = try error(parameters)
        entry.answer.claims = parameters["claims"]
        entry.answer.retryAfter = try retryAfter(parameters)
        entry.answer.misbehaviors =
            try parameters.read("demo") { Misbehaviors(parameter: $0, scopes: []) } ?? Misbehaviors()
        return entry
    }

    private static func error(_ parameters: RequestParameters) throws(UnknownValue) -> TokenError? {
        guard let error = parameters["error"] else {
            // They stand beside an error, and would be lost without one.
            let lost = ["error_description", "suberror", "error_codes", "claims"].first { parameters[$0] != nil }
            if let lost { throw UnknownValue(name: lost) }
            return nil
        }
        let codes = try parameters.read("error_codes") { text -> [Int64]? in
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int64($0) }
            return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
        }
        return TokenError(
            error, parameters["error_description"] ?? "The demo issuer was told to answer so.",
            suberror: parameters["suberror"], codes: codes ?? [])
    }

    private static func retryAfter(_ parameters: RequestParameters) throws(UnknownValue) -> RetryAfter? {
        if let text = parameters["retry_after"] { return .text(text) }
        return try parameters.read("retry_after_date") { number($0, in: -86_400...86_400) }.map { .date(in: $0) }
    }

    private static func number(_ text: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let number = Int64(text), range.contains(number) else { return nil }
        return number
    }
}
