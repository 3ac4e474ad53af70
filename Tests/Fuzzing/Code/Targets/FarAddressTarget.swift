import SwitchyardBridge

/// Addresses that a far machine wants to have opened, and that somebody pastes.
enum FarAddressTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = UntrustedText.shown(text)
        try require(shown.unicodeScalars.count <= 200 * 12, "a claim is cut")
        try require(
            shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x1B },
            "a claim moves no cursor")
        let verdict = AddressJudge.judge(text)
        try require(AddressJudge.judge(text) == verdict, "the same address is judged the same")
        switch verdict {
        case .signIn(let address): try check(address, text)
        case .localPage(let page):
            try require(text.lowercased().hasPrefix("http://"), "a page is plain http")
            try require(page.endpoint.port >= LoopbackEndpoint.lowestPort, "a privileged port is nobody's tool")
        case .link(let url, _):
            try require(url == text && url.lowercased().hasPrefix("https://"), "a link is https, as it was given")
        case .refused: break
        }
        let recorded = RecordedSignIns(text, now: 0)
        try require(RecordedSignIns(recorded.text, now: 0).text == recorded.text, "what is kept is read back")
        _ = try? recorded.match(text)
    }

    private static func check(_ address: SignInAddress, _ text: String) throws(BrokenInvariant) {
        try require(address.url == text, "an address goes on as it was given")
        try require(text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "an address has one reading")
        try require(!address.state.isEmpty && !address.clientID.isEmpty, "a sign-in has a state and a client")
        try require(address.redirectURI.port >= LoopbackEndpoint.lowestPort, "a privileged port is nobody's tool")
        try require(address.redirectURI.path.hasPrefix("/"), "a path begins with a slash")
        var recorded = RecordedSignIns("", now: 0)
        recorded.add(address.url, now: 0)
        try require(RecordedSignIns(recorded.text, now: 1).text == recorded.text, "a sign-in that is kept is read back")
    }
}
