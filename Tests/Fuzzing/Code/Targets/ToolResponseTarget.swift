import SwitchyardBridge

/// What a tool answers: the first byte is how it is cut.
enum ToolResponseTarget {
    private static let address: SignInAddress? = {
        let text = "https://a.example/?response_type=code&client_id=a&state=s&redirect_uri=http://localhost:8400/cb/"
        guard case .signIn(let address) = AddressJudge.judge(text) else { return nil }
        return address
    }()

    private static let passing: Set<String> = [
        "Content-Type", "Content-Encoding", "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy",
        "Cache-Control", "Location",
    ]

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let address, let first = bytes.first else { return }
        let whole = read(bytes.dropFirst(), by: .max)
        let cut = read(bytes.dropFirst(), by: Int(first % 9) + 1)
        try require(whole?.status == cut?.status && whole?.body == cut?.body, "pieces give what the whole gives")
        guard let answer = whole else { return }
        try require((200...999).contains(answer.status), "an answer has a final status")
        try require(answer.body.count <= ToolResponseReader.mostBodyBytes, "a body is bounded")
        guard let sieved = ResponseSieve.sieve(answer, from: address) else { return }
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

    private static func read(_ bytes: ArraySlice<UInt8>, by size: Int) -> ToolResponse? {
        var reader = ToolResponseReader()
        var rest = bytes
        do throws(ToolResponseError) {
            while !rest.isEmpty {
                if let answer = try reader.take(rest.prefix(size)) { return answer }
                rest = rest.dropFirst(size)
            }
            return try reader.end()
        } catch {
            return nil
        }
    }
}
