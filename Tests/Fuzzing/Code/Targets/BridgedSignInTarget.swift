import SwitchyardBridge

/// The life of two sign-ins at one port: what the person, browsers and the tool do, a letter each; a
/// line is a request's target.
enum BridgedSignInTarget {
    private static let addresses: [SignInAddress] = ["a", "b"].compactMap { state in
        let base = "https://a.example/?response_type=code&client_id=a&redirect_uri=http://localhost:8400/cb"
        guard case .signIn(let address) = AddressJudge.judge("\(base)&state=\(state)") else { return nil }
        return address
    }

    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var signIns = addresses.map { BridgedSignIn($0) }
        var (callbacks, pages, isAllowed) = ([0, 0], [0, 0], [false, false])
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
            let text = String(decoding: line, as: UTF8.self)
            let place = text.hasSuffix("b") ? 1 : 0
            switch text.first {
            case "g": if signIns[place].goOn() { isAllowed[place] = true }
            case "e": signIns[place].end(.expired)
            case "r": signIns[place].answered(sendingTo: "/done")
            case "n": signIns[place].answered(sendingTo: nil)
            default:
                let before = signIns.map(\.phase)
                switch take(request(text), &signIns) {
                case .success(let taken):
                    if before[taken] == .going { callbacks[taken] += 1 } else { pages[taken] += 1 }
                    try require(isAllowed[taken], "nothing is taken that the person did not go on to")
                    try require(callbacks[taken] == 1 && pages[taken] <= 1, "a callback is taken once, a page once")
                case .failure(let refusal):
                    try require((400...503).contains(refusal.status), "a refusal has a status of one")
                    try require(signIns.map(\.phase) == before, "what is refused changes nothing")
                }
            }
        }
    }

    private static func take(
        _ request: ArrivedRequest, _ signIns: inout [BridgedSignIn]
    ) -> Result<Int, SieveRefusal> {
        do throws(SieveRefusal) {
            return .success(try CallbackSieve.take(request, among: &signIns).index)
        } catch {
            return .failure(error)
        }
    }

    private static func request(_ text: String) -> ArrivedRequest {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let isForm = text.hasPrefix("/") == false
        return ArrivedRequest(
            method: isForm ? "POST" : "GET", authority: "localhost:8400", path: isForm ? "/cb" : String(parts[0]),
            query: parts.count == 2 && !isForm ? Array(parts[1].utf8) : nil,
            fields: [("Content-Type", Array("application/x-www-form-urlencoded".utf8))],
            body: isForm ? Array(text.utf8) : [], isPrefetch: false, isNavigation: true)
    }
}
