internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor

/// One connection of the system's `ssh`, which the person's session and this program share.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only.
final class SSHLink: @unchecked Sendable {
    let ssh: SSHProgram
    let folder: PrivateFolder
    private let show: ([UInt8]) -> Void
    private var master: SSHProgram.Run?

    /// The number of our channels that are being opened. The master process reports their failures, not the process
    /// that asked.
    private var channelsBeingOpened = 0
    /// The reason why a channel failed to open.
    private(set) var refusal = Promise<String>()

    /// - Parameters:
    ///   - folder: for ssh's control socket, and the sockets that lead to tools.
    ///   - show: called with ssh's own messages for the person.
    init(_ ssh: SSHProgram, in folder: PrivateFolder, _ show: @escaping ([UInt8]) -> Void) {
        self.ssh = ssh
        self.folder = folder
        self.show = show
    }

    // MARK: The connection

    /// Connects, which may ask the person for a password.
    /// - Returns: nil when connected; how ssh ended where it did not come to that.
    func connect() async throws -> ChildEnd? {
        let voice = try ChildChannel(on: ssh.loop)
        defer { voice.closeDescriptor() }
        let outcome = Promise<ChildEnd?>()
        let path = folder.controlPath
        // ssh makes its control socket once the connection stands.
        let watcher = try DirectoryWatcher(on: ssh.loop) {
            if FilePath.exists(path) { outcome.fulfil(nil) }
        }
        defer { watcher.stop() }
        watcher.watch([folder.path])
        let options =
            ["-S", path, "-N", "-o", "ControlMaster=yes", "-o", "ControlPersist=no", "-o", "RequestTTY=no"]
            + ["-o", "RemoteCommand=none"]
        let master = try ssh.start(options + ssh.arguments.connectionOptions, error: voice.descriptor)
        self.master = master
        master.end.whenFulfilled { outcome.fulfil($0) }
        ssh.loop.start { await self.listen(to: voice.socket) }
        return await outcome.value
    }

    /// Whether the connection has ended.
    var isGone: Bool { master?.end.current != nil }

    /// Ends the connection, also where it is still being made; does not wait.
    func hangUp() { master?.terminate() }

    /// Ends the connection, also for processes that still use it.
    func close() async {
        guard let master, !isGone else { return }
        master.terminate()
        if await master.end.value(until: .now() + .seconds(3)) == nil { kill(master.process, SIGKILL) }
    }

    // MARK: Messages

    /// Passes on ssh's messages, except the reasons why our own channels failed to open.
    private func listen(to socket: Socket) async {
        var line: [UInt8] = []
        while let piece = await socket.nextPiece() {
            for byte in piece {
                line.append(byte)
                if byte == UInt8(ascii: "\n") {
                    hear(line)
                    line = []
                }
            }
            // A question has no line's end.
            if channelsBeingOpened == 0, !line.isEmpty {
                show(line)
                line = []
            }
        }
        socket.shutDown()
    }

    private func hear(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        if channelsBeingOpened > 0, let reason = text.firstRange(of: ": open failed: ") {
            if refusal.current != nil { refusal = Promise() }
            refusal.fulfil(String(text[reason.upperBound...].filter { !$0.isNewline }))
        } else if !Self.isOfSharing(text) {
            show(line)
        }
    }

    /// Whether ssh says a line only because the session shares this connection: about our own socket, for which we
    /// print our own message, or about a session that wants a terminal and lacks one here.
    private static func isOfSharing(_ line: String) -> Bool {
        line.hasPrefix("mux_confirm_remote_forward: ")
            || line.hasPrefix("mux_master_process_new_session: tcgetattr: ")
    }

    // MARK: Uses of the connection

    /// ssh's options for all users of the connection: no configuration, and never a connection of their own.
    var shared: [String] {
        [
            "-F", "/dev/null", "-S", folder.controlPath, "-o", "ControlMaster=no", "-o", "ProxyCommand=false", "-o",
            "BatchMode=yes",
        ]
    }

    /// Opens channels within `body`. Until it returns, ssh's words about channels that failed are no message for the
    /// person.
    func openingChannel<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if channelsBeingOpened == 0 { refusal = Promise() }
        channelsBeingOpened += 1
        defer { channelsBeingOpened -= 1 }
        return try await body()
    }

    /// Begins a program on the far machine, beside the session.
    func begin(_ command: String) throws -> FarProgram {
        let (input, output) = (try ChildChannel(on: ssh.loop), try ChildChannel(on: ssh.loop))
        defer {
            input.closeDescriptor()
            output.closeDescriptor()
        }
        let run = try ssh.start(
            shared + ["-T"], command: command, input: input.descriptor, output: output.descriptor, leadsSession: true)
        return FarProgram(input: input.socket, output: output.socket, end: run.end)
    }

    /// Lets a socket of the far machine lead to one of this machine.
    /// - Returns: whether the server allows it; one that gives no answer does not.
    func forward(_ farPath: String, to nearPath: String) async throws -> Bool {
        try await openingChannel {
            // Cancels the forwarding that an earlier run left: ssh would answer the same for the same socket.
            guard try await ask("cancel", farPath, nearPath) != nil else { return false }
            return try await ask("forward", farPath, nearPath) == .exited(0)
        }
    }

    /// - Returns: nil where the server has not answered in time.
    private func ask(_ command: String, _ farPath: String, _ nearPath: String) async throws -> ChildEnd? {
        let run = try ssh.start(shared + ["-O", command, "-R", "\(farPath):\(nearPath)"], leadsSession: true)
        let end = await run.end.value(until: .now() + .seconds(20))
        run.terminate()
        return end
    }

    /// ssh's options for the person's session.
    func sessionOptions(withTerminal: Bool) -> [String] {
        ["-S", folder.controlPath, "-o", "ControlMaster=no", "-o", "ClearAllForwardings=yes"]
            + (withTerminal ? ["-t"] : []) + ssh.arguments.connectionOptions
    }
}

/// A program on the far machine.
struct FarProgram {
    let input: Socket
    let output: Socket
    let end: Promise<ChildEnd>

    func leave() {
        input.shutDown()
        output.shutDown()
    }
}
