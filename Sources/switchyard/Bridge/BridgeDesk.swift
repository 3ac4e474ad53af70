internal import SwitchyardBridge
internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardReactor

/// The source of an address.
enum AddressSource {
    /// A program gave it to its browser.
    case program
    /// It was seen in the session's output.
    case output
}

/// A sign-in of the far machine that is under way.
///
/// Why `@unchecked Sendable`: it is used on the desk's loop only.
final class DeskSignIn: @unchecked Sendable {
    var life: BridgedSignIn
    /// The unguessable part of its page's address.
    let token = Random.token(byteCount: 24)
    var expiry: Timer?
    /// The tool's page, which the browser has not fetched at the clean address yet. The tool has its callback.
    var page: SievedResponse?

    init(_ address: SignInAddress) {
        life = BridgedSignIn(address)
    }
}

/// The state of one session on this machine: the addresses that the far machine wants opened, the consent pages, and
/// the ports that wait for its tools' callbacks.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only.
final class BridgeDesk: @unchecked Sendable {
    let host: String
    let link: SSHLink
    let client: HTTPClient
    private let trusted: [TrustedPair]
    private let opensLinks: Bool
    private let opensBrowser: Bool
    private let group: EventLoopGroup
    let loop: EventLoop
    private let note: (String, _ isRoutine: Bool) -> Void

    private var ledger = OfferLedger()
    /// The limit for pages that tools open of their own. The addresses behind them count in `ledger` like all others.
    private var pages = OfferLedger()
    var ports: [UInt16: Port] = [:]
    /// How the last sign-in of a port ended, for requests that came in just before.
    var endings: [UInt16: BridgedSignIn.Ending] = [:]
    var consent: LoopbackServer?
    private var isClosed = false

    struct Port {
        /// One for the addresses of the first sign-in, and more where a later one has others.
        var servers: [LoopbackServer] = []
        var addresses: Set<String> = []
        var signIns: [DeskSignIn]
    }

    /// How long a sign-in may take, and how long a browser may take to follow a tool to its own page.
    private static let life = Duration.seconds(600)
    static let pageLife = Duration.seconds(30)

    init(
        _ arguments: SSHArguments, over link: SSHLink, on group: EventLoopGroup,
        noting note: @escaping (String, _ isRoutine: Bool) -> Void
    ) {
        host = UntrustedText.shown(arguments.host, limit: 100)
        self.link = link
        self.group = group
        self.note = note
        loop = group.loops[0]
        client = HTTPClient(loop: loop)
        trusted = arguments.trusted
        opensLinks = arguments.opensLinks
        opensBrowser = arguments.opensBrowser
    }

    /// Tells the person something important.
    func say(_ text: String) { note(text, false) }

    /// Tells the person something that the browser shows as well.
    func mention(_ text: String) { note(text, true) }

    // MARK: Addresses

    /// The far machine wants this to be opened.
    func offer(_ text: String, from source: AddressSource) async {
        guard !isClosed else { return }
        let verdict = AddressJudge.judge(text)
        guard source == .program || verdict.isOfSignIn else { return }
        switch verdict {
        case .signIn(let address):
            guard mayOffer(text) else { return }
            await begin(address)
        case .localPage(let page):
            guard mayFollow() else { return }
            await follow(page)
        case .link(let url, let objection):
            guard mayOffer(url) else { return }
            guard opensLinks else { return refuse(url, objection) }
            guard AddressJudge.specialUse(of: url) == nil else {
                say(
                    "\(host) wants to open \(UntrustedText.shown(url, limit: 500)): not opened, it leads to this machine or "
                        + "its network")
                return
            }
            mention("\(host) opens \(UntrustedText.shown(url, limit: 500))")
            await open(url)
        case .refused(let objection):
            guard mayOffer(text) else { return }
            refuse(text, objection)
        }
    }

    private func refuse(_ url: String, _ objection: Objection) {
        let remedy =
            objection.remedy(for: url, on: host).map { ". \($0.first?.uppercased() ?? "")\($0.dropFirst())" } ?? ""
        say("\(host) wants to open \(UntrustedText.shown(url, limit: 500)): not opened, \(objection.words)\(remedy)")
    }

    private func mayOffer(_ address: String) -> Bool { isAllowed(ledger.decide(address, now: Self.seconds)) }

    private func mayFollow() -> Bool { isAllowed(pages.decide(now: Self.seconds)) }

    private static var seconds: Int64 { Int64(Instant.now().nanoseconds / 1_000_000_000) }

    private func isAllowed(_ decision: OfferLedger.Decision) -> Bool {
        switch decision {
        case .offer: return true
        case .known: return false
        case .tooMany(let isSaid):
            if !isSaid {
                say(
                    "\(host) wants to open more than \(OfferLedger.mostInAMinute) addresses in a minute: the rest is left out"
                )
            }
            return false
        }
    }

    /// A tool opens a page of its own first, which only the far machine can see: where it sends the browser counts.
    private func follow(_ page: LocalPage) async {
        let answer = try? await send(ToolRequest(page))
        guard let location = answer?.location else {
            say(
                "\(host) wants to open a page of its own, \(UntrustedText.shown(page.endpoint.origin)), which leads to no sign-in"
            )
            return
        }
        switch AddressJudge.judge(location) {
        case .signIn, .link: await offer(location, from: .program)
        case .localPage, .refused:
            say(
                "\(host) wants to open a page of its own, \(UntrustedText.shown(page.endpoint.origin)), which leads to no sign-in"
            )
        }
    }

    // MARK: Sign-ins

    /// The whole text: if it were cut, a far machine could hide the telling part.
    private func shownIssuer(_ address: SignInAddress) -> String {
        UntrustedText.shown(address.issuerHost, limit: AddressJudge.maximumBytes)
    }

    private func begin(_ address: SignInAddress) async {
        let signIn = DeskSignIn(address)
        guard wait(for: signIn) else { return }
        signIn.expiry = loop.schedule(at: Instant.now() + Self.life) { [self] in
            loop.start { await self.end(signIn, .expired) }
        }
        if trusted.contains(where: { $0.covers(address) }) {
            say(
                "\(host) signs in at \(shownIssuer(address)) as \(UntrustedText.shown(address.clientID)), which --trust lets pass"
            )
            if let url = goOn(signIn) { await open(url) }
            return
        }
        do {
            let server = try consent ?? LoopbackServer(["127.0.0.1"], port: 0, on: group, ConsentService(desk: self))
            consent = server
            mention("\(host) asks to sign in at \(shownIssuer(address)): continue in the browser")
            await open("http://127.0.0.1:\(server.port)/\(signIn.token)")
        } catch {
            say("no page can be shown: \(error)")
            await end(signIn, .refused)
        }
    }

    /// Listens where the tool's callback will come.
    /// - Returns: false when it cannot; the person has been told.
    private func wait(for signIn: DeskSignIn) -> Bool {
        let endpoint = signIn.life.address.redirectURI
        var port = ports[endpoint.port] ?? Port(signIns: [])
        let missing = endpoint.addresses.filter { !port.addresses.contains($0) }
        do throws(SystemError) {
            if !missing.isEmpty {
                port.servers.append(
                    try LoopbackServer(
                        missing, port: endpoint.port, isBeside: !port.servers.isEmpty, on: group,
                        WayBackService(desk: self, port: endpoint.port)))
                port.addresses.formUnion(missing)
            }
            port.signIns.append(signIn)
            ports[endpoint.port] = port
            return canJudge(signIn)
        } catch {
            let owner = error.isAddressInUse ? PortOwner.find(endpoint.port) : nil
            let reason =
                error.isAddressInUse
                ? "is in use on this machine\(owner.map { " by \($0.name)" } ?? "")" : "cannot be had here (\(error))"
            say(
                "\(host) asks to sign in at \(shownIssuer(signIn.life.address)), but port \(endpoint.port), to which "
                    + "the sign-in comes back, \(reason): nothing was opened. "
                    + (owner?.remedy ?? PortOwner.remedy)
            )
            return false
        }
    }

    /// - Returns: false if the kernel hides the owners of connections; the person has been told.
    private func canJudge(_ signIn: DeskSignIn) -> Bool {
        guard !LoopbackPeer.canJudge(at: signIn.life.address.redirectURI.port) else { return true }
        say(
            "\(host) asks to sign in at \(shownIssuer(signIn.life.address)), but the kernel does not show which user connects "
                + "to a port (sock_diag, /proc/net/tcp), so no callback could be trusted: nothing was opened. Run this program "
                + "outside of the sandbox that hides them.")
        loop.start { await self.end(signIn, .refused) }
        return false
    }

    /// - Returns: where the browser goes; nil when it is over.
    func goOn(_ signIn: DeskSignIn) -> String? {
        signIn.life.goOn() ? signIn.life.address.url : nil
    }

    func refuse(_ signIn: DeskSignIn) async {
        mention(
            "the sign-in at \(shownIssuer(signIn.life.address)) was refused: \(host) gets nothing")
        await end(signIn, .refused)
    }

    func end(_ signIn: DeskSignIn, _ ending: BridgedSignIn.Ending) async {
        if ending == .expired, !signIn.life.isOver, !isWaitingForPage(signIn) {
            say("the sign-in at \(shownIssuer(signIn.life.address)) took too long: start it again")
        }
        signIn.life.end(ending)
        signIn.expiry?.cancel()
        let port = signIn.life.address.redirectURI.port
        endings[port] = ending
        ports[port]?.signIns.removeAll { $0 === signIn }
        if let left = ports[port], left.signIns.isEmpty {
            ports[port] = nil
            for server in left.servers { await server.stop(on: loop) }
        }
        if ports.isEmpty, let server = consent {
            consent = nil
            await server.stop(on: loop)
        }
    }

    private func isWaitingForPage(_ signIn: DeskSignIn) -> Bool {
        if case .expectingPage = signIn.life.phase { true } else { false }
    }

    // MARK: The browser

    /// Asks the person's browser, or the person.
    private func open(_ url: String) async {
        let shown = UntrustedText.shown(url, limit: AddressJudge.maximumBytes)
        guard opensBrowser else {
            say("open this address in a browser of this machine:\r\n\r\n  \(shown)\r\n")
            return
        }
        let isOpened = await Background.run { Browser.open(url) }
        if !isOpened {
            say("there is no browser here; open this address in one of this machine:\r\n\r\n  \(shown)\r\n")
        }
    }

    /// Ends all sign-ins and servers. A tool often ends right after its page, so browsers may fetch that first.
    func close() async {
        let end = Instant.now() + .seconds(2)
        while ports.values.contains(where: { $0.signIns.contains { $0.page != nil } }), Instant.now() < end {
            await EventLoop.sleep(until: Instant.now() + .milliseconds(20))
        }
        isClosed = true
        let servers = ports.values.flatMap(\.servers) + (consent.map { [$0] } ?? [])
        for signIn in ports.values.flatMap(\.signIns) { signIn.expiry?.cancel() }
        ports = [:]
        consent = nil
        for server in servers { await server.stop(on: loop) }
    }
}
