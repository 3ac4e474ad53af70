internal import SwitchyardBridge
internal import SwitchyardHTTPClient
internal import SwitchyardReactor
internal import SwitchyardText

/// `switchyard browse`: asks the machine that a session came from to open an address.
struct BrowseCommand: Command {
    static let name = "browse"
    static let summary = "open an address in the browser of the machine that you came from"
    static let options: [Option] = []
    static let operands = Operands.one("URL")
    static let help = Help(
        """
        In a session of `switchyard ssh`, sends an address to the machine that the session came from. Where none is connected, \
        prints the address, and keeps a sign-in's for ten minutes, for `switchyard paste`. For BROWSER; it does not wait for \
        what becomes of the address.
        """,
        exits: [.done: "it was sent or printed", .failed: "the session that was named is gone", .usage: "wrong usage"],
        examples: ["switchyard browse https://login.contoso.com/authorize?…"])

    /// Names the socket of one session; set by that session's own `browse`.
    static let variable = "SWITCHYARD_BROWSE_SOCKET"

    private let address: String

    init(_ options: Options) throws {
        address = options.operand ?? ""
    }

    func run() throws -> ExitStatus {
        let named = Environment[Self.variable]
        if let socket = named ?? FarPaths.newestSocket {
            let isSent = try runToEnd { [address] in await Self.send(address, to: socket) }
            if isSent { return .done }
            // Its caller knows other ways.
            guard named == nil else { return .failed }
        }
        Self.record(address)
        return .done
    }

    private static func send(_ address: String, to socket: String) async -> Bool {
        let request = OutgoingRequest(
            .post, "http://localhost/browse", headers: [("Content-Type", "text/plain")], body: Array(address.utf8),
            timeout: .seconds(20), unixSocket: socket, allowsPlainHTTP: true)
        guard let answer = try? await HTTPClient(loop: .required).send(request) else { return false }
        return (200..<300).contains(answer.status)
    }

    /// Records an address for `switchyard paste`, because no browser can be reached.
    private static func record(_ address: String) {
        Terminal.note(
            "Open this address in a browser:\n\n  \(UntrustedText.shown(address, limit: AddressJudge.maximumBytes))\n")
        let verdict = AddressJudge.judge(address)
        guard verdict.isOfSignIn else { return explain(verdict) }
        guard FarPaths.record({ $0.add(address, now: WallTime.now().seconds) }) else {
            Terminal.note("It cannot be kept for `switchyard paste`: \(FarPaths.recordedPath) cannot be written.")
            return explain(verdict)
        }
        explain(verdict)
    }

    /// Prints the next step for an address, or the reason why it is not followed and the way round.
    private static func explain(_ verdict: AddressVerdict) {
        switch verdict {
        case .signIn(let signIn) where signIn.isFormPost:
            Terminal.note("\(PasteError.formPost.words); \(PasteError.formPost.hint).")
        case .signIn:
            Terminal.note(
                "The page that it ends at will fail to load there. Then run `switchyard paste` here, and paste its address."
            )
        case .link(let url, let objection) where objection.isOfSignIn:
            Terminal.note("`switchyard paste` cannot bring this sign-in back: \(objection.words).")
            if let remedy = objection.remedy(for: url) { Terminal.note("What helps: \(remedy).") }
        case .localPage:
            Terminal.note(
                "It is a page of this machine, which a browser elsewhere cannot see: start from the sign-in's address.")
        case .link(_, let objection), .refused(let objection):
            Terminal.note("It is not followed: \(objection.words).")
        }
    }
}
