internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import Synchronization

/// One run of `switchyard ssh`: the connection, the far side, the person's session, and their end.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only, the main thread, and all its work ends there.
final class BridgeSession: @unchecked Sendable {
    private let arguments: SSHArguments
    private let group: EventLoopGroup
    private let loop: EventLoop
    private let children = ChildTable()
    private let signals: SignalSource
    private var streams: SessionStreams?
    private var rawMode: RawMode?
    private var session: Int32?
    private var link: SSHLink?
    private var far: FarSide?
    /// The signal that ends this run, at any time, and the time limit for the clean-up.
    private var ending: (signal: Int32, limit: Instant)?
    private var endingTimer: Timer?

    /// The time for the session's output to reach its reader, once a signal ends this.
    private static let patience = Duration.seconds(2)

    init(_ arguments: SSHArguments) throws {
        self.arguments = arguments
        // Before any other thread, which would get them otherwise.
        signals = try SignalSource([SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH])
        group = try EventLoopGroup(count: 1)
        loop = group.loops[0]
    }

    /// - Returns: what ssh ended with.
    func run() throws -> Int32 {
        let status = Promise<Int32>()
        loop.start { [self] in
            do {
                try signals.start(on: loop) { self.take($0) }
                status.fulfil(try await follow())
            } catch {
                Terminal.error("\(error)", hint: nil)
            }
            rawMode?.restore()
            loop.stop()
        }
        loop.run()
        return status.current ?? 255
    }

    private func take(_ signal: Int32) {
        switch signal {
        case SIGCHLD: children.look()
        case SIGWINCH: resize()
        default: end(by: signal)
        }
    }

    private func end(by signal: Int32) {
        // A second signal does not wait for output that goes unread.
        let limit = ending == nil ? Instant.now() + Self.patience : Instant.now()
        ending = (signal, limit)
        streams?.end(by: limit)
        guard let session else {
            link?.hangUp()
            return
        }
        // From the keyboard it has had it already; a second one does no harm.
        kill(session, signal)
        // If a terminal is not read, ssh does not end before its connection has, which writes to it.
        endingTimer?.cancel()
        endingTimer = loop.schedule(at: limit) { [self] in link?.hangUp() }
    }

    private func follow() async throws -> Int32 {
        let folder = try PrivateFolder(on: loop)
        defer { folder.remove() }
        let ssh = try SSHProgram(arguments, on: loop, children: children)
        let settings = try await ssh.configuration() ?? [:]
        let link = SSHLink(ssh, in: folder) { [unowned self] in show($0) }
        self.link = link
        guard ending == nil else { return 255 }
        if let end = try await link.connect() { return end.status }
        let desk = BridgeDesk(arguments, over: link, on: group) { [unowned self] in say($0, isRoutine: $1) }
        // A command that ssh's own configuration names is ssh's business.
        if !Self.hasCommand(settings) { far = await FarSide.open(arguments, over: link, to: folder, desk, on: group) }
        if let far { keep(far, over: link, to: folder, desk) }
        let status = try await runSession(link, far, desk, settings)
        await desk.close()
        await far?.close()
        await link.close()
        return status
    }

    /// Makes the far side again, at the same path, whenever it has given this one up.
    private func keep(_ side: FarSide, over link: SSHLink, to folder: PrivateFolder, _ desk: BridgeDesk) {
        loop.start { [self] in
            guard await side.isLost() else { return }
            far = nil
            // If the connection is lost, ssh says so about now.
            await EventLoop.sleep(until: Instant.now() + .seconds(1))
            guard !link.isGone, session != nil,
                let again = await FarSide.open(arguments, over: link, to: folder, desk, on: group, isAgain: true)
            else { return }
            guard session != nil else { return await again.close() }
            far = again
            keep(again, over: link, to: folder, desk)
        }
    }

    /// Shows ssh's own messages.
    private func show(_ bytes: [UInt8]) {
        if let output = streams?.outputs.last {
            output.insert(bytes)
        } else {
            try? Descriptor.write(bytes, to: STDERR_FILENO)
        }
    }

    private func say(_ text: String, isRoutine: Bool) {
        let note = "switchyard: \(text)"
        guard let output = streams?.outputs.last else { return Terminal.note(note.replacing("\r\n", with: "\n")) }
        if !output.note(note), !isRoutine { showOnDesktop(text) }
    }

    /// Shows a text for which the session's screen has no room. In tmux it would be read only after tmux.
    private func showOnDesktop(_ text: String) {
        guard arguments.opensBrowser else { return }
        let heading = "switchyard ssh \(UntrustedText.shown(arguments.host, limit: 100))"
        // Not at once: a bus is not to be joined by one of the loop's timers.
        loop.execute { [loop] in
            loop.start { _ = await DesktopNotification.show(heading, DesktopNotification.escaped(text)) }
        }
    }

    // MARK: The session

    private func runSession(
        _ link: SSHLink, _ far: FarSide?, _ desk: BridgeDesk, _ settings: [String: String]
    ) async throws -> Int32 {
        let command = far.map { FarSideScript.sessionCommand(folder: $0.folder) } ?? arguments.commandText
        let hasTerminal = getsTerminal(settings)
        // With our own command, ssh would not request the terminal that it requests without one.
        let asksForIt = far != nil && arguments.wantsTerminal == nil && hasTerminal
        guard ending == nil else { return 255 }
        let seen = SeenAddresses(desk, on: loop)
        let streams = try SessionStreams({ seen.pass($0) }, on: loop)
        self.streams = streams
        let run = try link.ssh.start(
            link.sessionOptions(withTerminal: asksForIt), command: command, input: streams.input,
            output: streams.output, error: streams.error, leadsSession: streams.terminal != nil)
        session = run.process
        let key = hasTerminal ? SuspendKey(escapeCharacter: settings["escapechar"] ?? "~") : SuspendKey(.alone)
        rawMode = try streams.begin(suspendingBy: key) { [self] in loop.execute { self.resize() } }
        let how = await run.end.value
        session = nil
        endingTimer?.cancel()
        // A session that is cut off leaves its sides to the program over there.
        let isCutOff = ending != nil || how.status == 255 || how.isKilled
        let quiet = isCutOff ? Duration.milliseconds(150) : .seconds(5)
        let isAllShown = await streams.drain(quiet: quiet)
        rawMode?.restore()
        rawMode = nil
        self.streams = nil
        guard !isAllShown, let signal = ending?.signal else { return how.status }
        return how.status == 0 ? 128 + signal : how.status
    }

    private static func hasCommand(_ settings: [String: String]) -> Bool {
        settings["remotecommand"].map { $0 != "none" } ?? false
    }

    /// Whether the person's terminal has one on the far side, as ssh decides it.
    private func getsTerminal(_ settings: [String: String]) -> Bool {
        guard PersonsTerminal.isTerminal(STDIN_FILENO) else { return false }
        if let isWanted = arguments.wantsTerminal { return isWanted }
        switch settings["requesttty"] {
        case "false", "no": return false
        case "true", "yes", "force": return true
        default: return arguments.command.isEmpty && !Self.hasCommand(settings)
        }
    }

    private func resize() {
        guard let streams, let terminal = streams.terminal else { return }
        let from = PersonsTerminal.isTerminal(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO
        terminal.resize(like: from)
        let columns = PersonsTerminal.columns(of: from)
        for output in streams.outputs { output.resize(columns: columns) }
    }
}

/// Brings addresses in the output to the desk, on another thread. Most links are judged and dropped before. If a far
/// machine shows them faster than the desk takes them, the rest is dropped. Safe from any thread.
private final class SeenAddresses: Sendable {
    private let desk: BridgeDesk
    private let loop: EventLoop
    private let waiting = Mutex(0)
    private static let most = 64

    init(_ desk: BridgeDesk, on loop: EventLoop) {
        self.desk = desk
        self.loop = loop
    }

    func pass(_ address: String) {
        guard AddressJudge.judge(address).isOfSignIn else { return }
        let hasRoom = waiting.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
        guard hasRoom else { return }
        loop.execute { [self] in
            waiting.withLock { $0 -= 1 }
            loop.start { await self.desk.offer(address, from: .output) }
        }
    }
}
