import SwitchyardOAuth

/// Callbacks that come as a string, from a program on the same machine.
enum CallbackAddressTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let address = try? CallbackAddress(relayed: text) else { return }
        let input = Array(text.utf8)
        try require(input.count <= CallbackAddress.maximumLength, "a callback is bounded")
        let end = input.firstIndex(of: UInt8(ascii: "#")) ?? input.endIndex
        try require(address.hasFragment == (end < input.endIndex), "a fragment is seen")
        let question = input[..<end].firstIndex(of: UInt8(ascii: "?"))
        let query = question.map { Array(input[($0 + 1)..<end]) } ?? []
        try require(address.query == query, "the query is what stands between ? and #")
        let base = String(decoding: input[..<(question ?? end)], as: UTF8.self)
        try RedirectURITarget.checkForm(address.form, of: base)
        let (uri, refusal) = register(base)
        try require(uri?.form == address.form || refusal == .reservedPath, "what can be relayed could be registered")
        try AuthorizationResponseTarget.check(query: address.query, content: nil)
    }

    private static func register(_ text: String) -> (RedirectURI?, RedirectURIError.Kind?) {
        do throws(RedirectURIError) {
            return (try RedirectURI(text), nil)
        } catch {
            return (nil, error.kind)
        }
    }
}
