internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardReactor

/// This program's folder on the far machine, with a socket that leads here. It lives as long as its helper there runs.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only.
final class FarSide: @unchecked Sendable {
    let folder: String
    private let helper: FarProgram
    private let server: Server
    private let loop: EventLoop
    private var isOpen = true

    private init(_ folder: String, _ helper: FarProgram, _ server: Server, _ loop: EventLoop) {
        self.folder = folder
        self.helper = helper
        self.server = server
        self.loop = loop
    }

    /// - Parameter isAgain: whether the folder existed before; then failures are silent.
    /// - Returns: nil if the far machine cannot have it; the person has been told why, and the session continues
    ///   without.
    static func open(
        _ arguments: SSHArguments, over link: SSHLink, to near: PrivateFolder, _ desk: BridgeDesk,
        on group: EventLoopGroup, isAgain: Bool = false
    ) async -> FarSide? {
        let host = UntrustedText.shown(arguments.host, limit: 100)
        func fail(_ reason: String) -> FarSide? {
            if !isAgain { Terminal.note("switchyard: no browser for \(host): \(reason)") }
            return nil
        }
        let loop = group.loops[0]
        let nonce = Hexadecimal.encode(Random.bytes(12))
        guard let helper = try? link.begin("sh") else { return fail("ssh cannot be run again") }
        let deadline = Instant.now() + .seconds(20)
        (helper.input.deadline, helper.output.deadline) = (deadline, deadline)
        let script = FarSideScript.helper(nonce: nonce, command: arguments.commandText)
        var lines = FarLines(helper.output, nonce)
        guard await helper.input.writeAll(Array(script.utf8)) == .written, let report = await lines.next() else {
            helper.leave()
            return fail("it has no POSIX shell that could be used")
        }
        guard case .folder(let folder, let canSend) = report else {
            helper.leave()
            return fail(
                "neither HOME nor XDG_RUNTIME_DIR there is a place for a folder that is yours alone, so BROWSER is not set; "
                    + "addresses that are printed are still seen")
        }
        let server = Server(
            group: group, limits: HTTPLimits(),
            connections: ConnectionLimiter(ConnectionLimiter.Policy(total: 32, perAddress: 32), keys: { _ in nil }),
            service: FarBrowserService(desk: desk))
        do {
            try server.listen(Listener(.unix(path: near.browserPath, mode: 0o600, group: nil), context: nil, number: 0))
            guard try await link.forward("\(folder)/socket", to: near.browserPath) else {
                helper.leave()
                return fail(
                    "its ssh server forbids forwarding (AllowTcpForwarding, AllowStreamLocalForwarding); addresses that "
                        + "are printed are still seen")
            }
        } catch {
            helper.leave()
            return fail("\(error)")
        }
        guard await helper.input.writeAll(Array("socket\n".utf8)) == .written, await lines.next() == .ready else {
            helper.leave()
            return fail("its helper has ended")
        }
        if !canSend, !isAgain {
            Terminal.note(
                "switchyard: there is no curl on \(host): only addresses that are printed are seen; install curl there")
        }
        (helper.input.deadline, helper.output.deadline) = (.never, .never)
        let side = FarSide(folder, helper, server, loop)
        side.beat()
        return side
    }

    /// Shows the helper that this side is alive.
    private func beat() {
        _ = loop.schedule(at: Instant.now() + .seconds(FarSideScript.beatInterval)) { [self] in
            guard isOpen else { return }
            loop.start {
                _ = await self.helper.input.writeAll(Array("beat\n".utf8))
                self.beat()
            }
        }
    }

    /// Waits until the helper has given this side up, as it does while this machine sleeps.
    /// - Returns: false if this side has ended it.
    func isLost() async -> Bool {
        _ = await helper.end.value
        guard isOpen else { return false }
        isOpen = false
        helper.leave()
        await server.stop(grace: .zero)
        return true
    }

    /// The helper takes its folder away.
    func close() async {
        guard isOpen else { return }
        isOpen = false
        helper.input.shutDown()
        _ = await helper.end.value(until: .now() + .seconds(5))
        helper.output.shutDown()
        await server.stop(grace: .zero)
    }
}

/// The lines of a helper that are meant for us: other output of a far shell, such as a greeting, is not.
private struct FarLines {
    private let socket: Socket
    private let nonce: String
    private var bytes: [UInt8] = []
    private var count = 0

    init(_ socket: Socket, _ nonce: String) {
        self.socket = socket
        self.nonce = nonce
    }

    /// Reads the next report; nil after the last one.
    mutating func next() async -> FarSideScript.Report? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: bytes[..<end], as: UTF8.self)
                bytes.removeSubrange(...end)
                if let report = FarSideScript.Report(line, nonce: nonce) { return report }
                continue
            }
            guard count < 256 << 10, let piece = await socket.nextPiece() else { return nil }
            count += piece.count
            bytes += piece
        }
    }
}
