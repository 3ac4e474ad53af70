import SwitchyardJSON

@testable import SwitchyardClient

/// Claims requests, of an app's developer and of an API's challenge.
enum ClaimsRequestTarget {
    private static let other = ClaimsRequest()
        .requesting("given_name", in: .idToken, essential: true)
        .requesting("xms_cc", in: .accessToken, values: ["cp1"])

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        let request: ClaimsRequest
        do throws(ClaimsRequestError) {
            request = try ClaimsRequest(json: text)
        } catch {
            return try require(!error.message.isEmpty && !error.remedy.isEmpty, "a refusal explains")
        }
        let written = request.json
        try require(request.isEmpty == (written == "{}"), "a request for nothing is empty")
        // The written form may be longer than the text: it escapes more.
        if written.utf8.count <= 32 * 1024 {
            let again = try? ClaimsRequest(json: written)
            try require(again == request, "a request that is written back is the same")
            try require(again?.json == written, "one request has one text")
        }
        try checkMerging(request)
        try checkCapabilities(request)
        try require(request.json == written, "a copy that changes leaves its original")
    }

    private static func checkMerging(_ request: ClaimsRequest) throws(BrokenInvariant) {
        try require(request.merging(request) == request, "a request with itself is itself")
        try require(request.merging(ClaimsRequest()) == request, "nothing more changes nothing")
        try require(ClaimsRequest().merging(request) == request, "nothing and a request is the request")
        let merged = request.merging(other)
        try require(merged.merging(other) == merged, "what is merged already changes nothing")
        let claims = object(merged, "id_token")?["given_name"]
        try require(claims == ["essential": true], "the later request says how")
        let mine = object(request, "id_token")?.members ?? []
        let all = object(merged, "id_token")
        for (name, wishes) in mine where !name.utf8.elementsEqual("given_name".utf8) {
            try require(all?[name] == wishes, "merging loses no claim")
        }
    }

    private static func checkCapabilities(_ request: ClaimsRequest) throws(BrokenInvariant) {
        try require(request.adding(clientCapabilities: []) == request, "no capabilities change nothing")
        let able = request.adding(clientCapabilities: ["cp1", "cp1"])
        try require(able.adding(clientCapabilities: ["cp1"]) == able, "a capability is said once")
        try require(
            able.removing("xms_cc", from: .accessToken) == request.removing("xms_cc", from: .accessToken),
            "capabilities touch no other claim")
        let before = object(request, "access_token")?["xms_cc"]?.object ?? [:]
        let after = object(able, "access_token")?["xms_cc"]?.object ?? [:]
        let (own, values) = (before["values"]?.array ?? [], after["values"]?.array ?? [])
        try require(values.starts(with: own), "the app's own values stay")
        try require(values.contains("cp1") && values.count <= own.count + 1, "a capability is added")
        for (name, wish) in before.members where !name.utf8.elementsEqual("values".utf8) {
            try require(after[name] == wish, "the app's other wishes stay")
        }
    }

    private static func object(_ request: ClaimsRequest, _ target: String) -> JSONObject? {
        (try? JSONValue.parse(Array(request.json.utf8)))?.object?[target]?.object
    }
}
