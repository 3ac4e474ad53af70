import Testing

@testable import SwitchyardBridge

@Suite("ssh's words, and the far side's") struct FarSideTests {
    @Test("ours are taken out wherever ssh reads options, and ssh's are in order")
    func options() throws {
        let read = try SSHArguments(
            [
                "-4Ap2222", "--trust", "a.example/x", "-o", "Port=22", "host", "-t", "--no-browser",
                "--trust=b.example/y/z", "ls", "--trust", "-la",
            ])
        #expect(read.options == ["-4", "-A", "-p", "2222", "-o", "Port=22", "-t"])
        #expect(read.host == "host" && read.command == ["ls", "--trust", "-la"])
        #expect(read.trusted.count == 2 && !read.opensBrowser && !read.opensLinks && read.wantsTerminal == true)
    }

    @Test("two dashes end the options")
    func ended() throws {
        let read = try SSHArguments(["-v", "--", "host", "--help"])
        #expect(read.host == "host" && read.command == ["--help"] && !read.wantsHelp)
        #expect(try SSHArguments(["host", "--", "-x"]).command == ["-x"])
    }

    @Test("only the session uses its own connection")
    func connection() throws {
        let read = try SSHArguments(["-M", "-S", "/tmp/x", "-L", "-S", "-S", "-M", "-p", "22", "host"])
        #expect(read.connectionOptions == ["-L", "-S", "-p", "22"])
    }

    @Test(
        "where there is no session, ssh is alone",
        arguments: [
            ["-V"], ["-N", "h"], ["-Q", "mac"], ["-fN", "h"], ["-W", "a:1", "h"], ["-O", "exit", "h"], ["-G", "h"],
        ])
    func alone(arguments: [String]) throws {
        #expect(try SSHArguments(arguments).isForSSHAlone)
        #expect(try !SSHArguments(["-v", "h"]).isForSSHAlone)
    }

    @Test("malformed arguments are reported")
    func flaws() {
        #expect(throws: SSHArguments.ParseError.noHost) { try SSHArguments(["-v"]) }
        #expect(throws: SSHArguments.ParseError.unknownOption("--fly")) { try SSHArguments(["--fly", "h"]) }
        #expect(throws: SSHArguments.ParseError.unknownOption("-h")) { try SSHArguments(["-vh", "host"]) }
        #expect(throws: SSHArguments.ParseError.missingValue("-p")) { try SSHArguments(["-vp"]) }
        #expect(throws: SSHArguments.ParseError.badPair("x")) { try SSHArguments(["--trust", "x", "h"]) }
        #expect(throws: SSHArguments.ParseError.takesNoValue("--no-browser")) {
            try SSHArguments(["--no-browser=1", "h"])
        }
    }

    @Test("a helper's report is one of ours, with a path that needs no quoting")
    func reports() {
        #expect(
            FarSideScript.Report("N folder yes /home/me/.switchyard/a/1", nonce: "N")
                == .folder("/home/me/.switchyard/a/1", canSend: true))
        #expect(FarSideScript.Report("N folder no /a", nonce: "N") == .folder("/a", canSend: false))
        #expect(FarSideScript.Report("N ready", nonce: "N") == .ready)
        for line in [
            "ready", "M ready", "N folder yes /a b", "N folder yes a", "N folder yes /a:b", "N folder yes /a%s",
            "N folder yes /a'b", "N",
        ] {
            #expect(FarSideScript.Report(line, nonce: "N") == nil)
        }
    }

    @Test("a command is one word for sh, whatever is in it")
    func quoting() {
        #expect(FarSideScript.quoted("a'b $(c) `d`\n") == "'a'\\''b $(c) `d`\n'")
        let helper = FarSideScript.helper(nonce: "N", command: "@BROWSE@ 'x'")
        #expect(helper.contains("-c \"$first\"'@BROWSE@ '\\''x'\\'''"))
    }

    @Test("a pasted address is compared with what was asked for")
    func paste() throws {
        let base = "https://a.example/?response_type=code&client_id=a&redirect_uri=http://localhost:8400/cb"
        var recorded = RecordedSignIns("", now: 100)
        #expect(throws: PasteError.nothingRecorded) { try recorded.match("http://localhost:8400/cb?state=a") }
        for (state, mode) in [("a", ""), ("b", ""), ("c", "&response_mode=form_post")] {
            recorded.add("\(base)&state=\(state)\(mode)", now: 100)
        }
        recorded.add("https://a.example/", now: 100)
        let read = RecordedSignIns(recorded.text, now: 699)
        #expect(try read.match("http://localhost:8400/cb?code=%41&state=b").target == "/cb?code=%41&state=b")
        #expect(throws: PasteError.anotherState) { try read.match("http://localhost:8400/cb?code=x&state=d") }
        #expect(throws: PasteError.anotherState) { try read.match("http://localhost:8400/cb?state=a&state=a") }
        #expect(throws: PasteError.anotherAddress) { try read.match("http://localhost:8401/cb?state=a") }
        #expect(throws: PasteError.anotherAddress) { try read.match("http://127.0.0.1:8400/cb?state=a") }
        #expect(throws: PasteError.notCallback) { try read.match("https://a.example/cb?state=a") }
        #expect(throws: PasteError.formPost) { try read.match("http://localhost:8400/cb") }
        #expect(throws: PasteError.nothingRecorded) {
            try RecordedSignIns(recorded.text, now: 700).match("http://localhost:8400/cb")
        }
    }

    @Test("a pasted address of a sign-in that cannot be followed is told why")
    func unfollowed() throws {
        var recorded = RecordedSignIns("", now: 100)
        let base = "https://a.example/?response_type=code&client_id=a"
        recorded.add("\(base)&redirect_uri=http://localhost:8400/cb", now: 100)
        recorded.add("\(base)&state=s&redirect_uri=http://localhost:8500/cb", now: 100)
        let read = RecordedSignIns(recorded.text, now: 101)
        #expect(throws: PasteError.notFollowed(.noState)) { try read.match("http://localhost:8400/cb?code=x") }
        #expect(try read.match("http://localhost:8500/cb?code=x&state=s").target == "/cb?code=x&state=s")
        #expect(throws: PasteError.anotherAddress) { try read.match("http://localhost:8600/cb?code=x") }
        recorded.add("https://a.example/?client_id=a&request_uri=urn:x", now: 102)
        #expect(throws: PasteError.notFollowed(.pushedRequest)) {
            try recorded.match("http://localhost:8600/cb?code=x")
        }
        recorded.add("https://a.example/sso?SAMLRequest=x", now: 103)
        #expect(throws: PasteError.notFollowed(.saml)) { try recorded.match("https://b.example/acs") }
        #expect(PasteError.notFollowed(.noState).hint.contains("curl"))
        #expect(PasteError.notFollowed(.pushedRequest).hint.contains("ssh -L"))
    }

    @Test("the page that asks shows a far machine's words as text", arguments: ["en", "fr"])
    func consent(language: String) throws {
        let text =
            "https://a.example/?response_type=code&client_id=%3Cb%3E%1B%5B2J\(String(repeating: "x", count: 900))"
            + "&state=s&redirect_uri=http://localhost:8400&scope=%22%3E%3Cscript%3E"
        guard case .signIn(let address) = AddressJudge.judge(text) else {
            Issue.record("no sign-in")
            return
        }
        let page = BridgePage.consent(to: address, host: "dev<i>box", action: "/t", acceptLanguage: language)
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(
            html.contains("lang=\"\(language)\"") && html.contains("id=\"continue\"")
                && html.contains("action=\"/t/continue\""))
        #expect(
            !html.contains("<b>") && !html.contains("<script") && !html.contains("<i>") && !html.contains("<a ")
                && !html.contains("\u{1B}"))
        #expect(html.contains("dev&lt;i&gt;box") && html.contains("&lt;b&gt;"))
        #expect(html.contains(String(repeating: "x", count: 900)), "what is cut off may be what tells")
    }
}
