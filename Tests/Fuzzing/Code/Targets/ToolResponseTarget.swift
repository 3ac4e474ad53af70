import SwitchyardBridge

/// A response of a tool, as libcurl has read it.
enum ToolResponseTarget {
    private static let address: SignInAddress? = {
        let text = "https://a.example/?response_type=code&client_id=a&state=s&redirect_uri=http://localhost:8400/cb/"
        guard case .signIn(let address) = AddressJudge.judge(text) else { return nil }
        return address
    }()

    private static let passing: Set<String> = [
        "Content-Type", "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy",
        "Cache-Control", "Location",
    ]

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let address else { return }
        guard let sieved = ResponseSieve.sieve(response(bytes), from: address) else { return }
        let names = sieved.fields.map(\.name)
        try require(Set(names).count == names.count, "the browser is told each thing once")
        try require(Set(names).isSubset(of: passing), "what is unknown stays away")
        for (name, value) in [
            ("Content-Security-Policy", "sandbox; default-src 'none';"), ("Cache-Control", "no-store"),
        ] {
            try require(
                sieved.fields.contains { $0.name == name && $0.value.starts(with: value.utf8) }, "\(name) is ours")
        }
        for field in sieved.fields {
            try require(!field.value.contains(0x0A) && !field.value.contains(0x0D), "a value is one line")
            guard field.name == "Location" else { continue }
            let location = String(decoding: field.value, as: UTF8.self)
            let isOwn = location.hasPrefix("http://localhost:8400/")
            try require(
                isOwn || location.lowercased().hasPrefix("https://"), "the browser goes to the tool or to the web")
            try require(isOwn || AddressJudge.specialUse(of: location) == nil, "the web is not this network")
            try require(isOwn == (sieved.nextPage != nil), "only the tool's own page is followed")
            if case .signIn = AddressJudge.judge(location) {
                throw BrokenInvariant(description: "broken: no second sign-in follows")
            }
        }
    }

    private static func response(_ bytes: [UInt8]) -> ToolResponse {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let header = lines.prefix { !$0.isEmpty }
        let words = (header.first ?? "").split(separator: " ")
        var fields: [String: String] = [:]
        for line in header.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased(), default: ""] += parts[1].drop { $0 == " " }
        }
        return ToolResponse(
            status: words.count > 1 ? Int(words[1]) ?? 200 : 200, fields: fields,
            body: Array(lines.dropFirst(header.count + 1).joined(separator: "\r\n").utf8))
    }
}
