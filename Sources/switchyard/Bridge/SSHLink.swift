internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor

/// One connection of the system's `ssh`, and what goes over it beside the person's session.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only.
final class SSHLink: @unchecked Sendable {
    let host: String
    private let arguments: SSHArguments
    private let loop: EventLoop
    private let children: ChildTable
    private let controlPath: String
    private var master: Int32?
    private let masterEnd = EndOfChild()
    private let null: OpenFile
    private let environment: [String]
    private let show: ([UInt8]) -> Void

    /// The number of our channels that are being opened. ssh's own process reports their failures, not the process that
    /// asked.
    private var channelsBeingOpened = 0
    private var lastRefusal: String?

    /// - Parameter show: called with ssh's own messages for the person.
    init(
        _ arguments: SSHArguments, controlPath: String, on loop: EventLoop, children: ChildTable,
        _ show: @escaping ([UInt8]) -> Void
    ) throws {
        self.arguments = arguments
        self.controlPath = controlPath
        self.loop = loop
        self.children = children
        self.show = show
        host = arguments.host
        environment = ChildProcess.ownEnvironment
        do throws(FileError) {
            null = try OpenFile("/dev/null", for: .device)
        } catch {
            throw SystemError("open(\"/dev/null\")", code: error.code ?? ENOENT)
        }
    }

    // MARK: The connection

    /// Connects, which may ask the person for a password.
    /// - Returns: nil when connected; how ssh ended where it did not come to that.
    func connect() async throws -> ChildEnd? {
        let voice = try ChildChannel(on: loop)
        defer { voice.closeDescriptor() }
        let options =
            ["-S", controlPath, "-N", "-o", "ControlMaster=yes", "-o", "ControlPersist=no", "-o", "RequestTTY=no"]
            + ["-o", "RemoteCommand=none"]
        let process = try ChildProcess.start(
            "ssh", ["ssh"] + options + arguments.connectionOptions + ["--", host], environment, input: null.descriptor,
            output: null.descriptor, error: voice.descriptor)
        master = process
        masterEnd.watch(process, in: children)
        loop.start { await self.listen(to: voice.socket) }
        while !FilePath.exists(controlPath) {
            if let end = masterEnd.value { return end }
            await EventLoop.sleep(until: Instant.now() + .milliseconds(20))
        }
        return nil
    }

    /// Whether the connection has ended.
    var isGone: Bool { masterEnd.value != nil }

    /// Ends the connection, also where it is still being made; does not wait.
    func hangUp() {
        if let master, !isGone { kill(master, SIGTERM) }
    }

    /// Ends the connection, also for processes that still use it.
    func close() async {
        guard let master, masterEnd.value == nil else { return }
        kill(master, SIGTERM)
        _ = await masterEnd.wait(until: Instant.now() + .seconds(3))
        if masterEnd.value == nil { kill(master, SIGKILL) }
    }

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
            lastRefusal = String(text[reason.upperBound...].filter { !$0.isNewline })
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
    private var shared: [String] {
        [
            "ssh", "-F", "/dev/null", "-S", controlPath, "-o", "ControlMaster=no", "-o", "ProxyCommand=false", "-o",
            "BatchMode=yes",
        ]
    }

    /// ssh's settings without us, as `ssh -G` tells them; nil where it refuses its options.
    func configuration() async throws -> [String: String]? {
        let voice = try ChildChannel(on: loop)
        let process = try ChildProcess.start(
            "ssh", ["ssh", "-G"] + arguments.connectionOptions + ["--", host], environment, input: null.descriptor,
            output: voice.descriptor, error: null.descriptor)
        voice.closeDescriptor()
        let end = EndOfChild()
        end.watch(process, in: children)
        var text: [UInt8] = []
        while let piece = await voice.socket.nextPiece(), text.count < 1 << 20 { text += piece }
        voice.socket.shutDown()
        guard await end.wait() == .exited(0) else { return nil }
        var values: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2, values[String(parts[0])] == nil { values[String(parts[0])] = String(parts[1]) }
        }
        return values
    }

    /// Begins a program on the far machine, beside the session.
    func begin(_ command: String) throws -> FarProgram {
        let (input, output) = (try ChildChannel(on: loop), try ChildChannel(on: loop))
        defer {
            input.closeDescriptor()
            output.closeDescriptor()
        }
        let process = try ChildProcess.start(
            "ssh", shared + ["-T", "--", host, command], environment, input: input.descriptor,
            output: output.descriptor, error: null.descriptor, leadsSession: true)
        let program = FarProgram(process: process, input: input.socket, output: output.socket)
        program.end.watch(process, in: children)
        return program
    }

    /// Lets a socket of the far machine lead to one of this machine.
    /// - Returns: whether the server allows it; one that gives no answer does not.
    func forward(_ farPath: String, to nearPath: String) async throws -> Bool {
        channelsBeingOpened += 1
        defer { channelsBeingOpened -= 1 }
        // Cancels the forwarding that an earlier run left: ssh would answer the same for the same socket.
        guard try await ask("cancel", farPath, nearPath) != nil else { return false }
        return try await ask("forward", farPath, nearPath) == .exited(0)
    }

    /// - Returns: nil where the server has not answered in time.
    private func ask(_ command: String, _ farPath: String, _ nearPath: String) async throws -> ChildEnd? {
        let process = try ChildProcess.start(
            "ssh", shared + ["-O", command, "-R", "\(farPath):\(nearPath)", "--", host], environment,
            input: null.descriptor,
            output: null.descriptor, error: null.descriptor, leadsSession: true)
        let end = EndOfChild()
        end.watch(process, in: children)
        guard let ended = await end.wait(until: Instant.now() + .seconds(20)) else {
            kill(process, SIGTERM)
            return nil
        }
        return ended
    }

    /// Sends bytes to a port of the far machine's loopback and reads one answer.
    func exchange(
        _ bytes: [UInt8], with address: String, port: UInt16
    ) async throws(ExchangeError) -> ToolResponse {
        if channelsBeingOpened == 0 { lastRefusal = nil }
        channelsBeingOpened += 1
        defer { channelsBeingOpened -= 1 }
        let (input, output): (ChildChannel, ChildChannel)
        let process: Int32
        do {
            (input, output) = (try ChildChannel(on: loop), try ChildChannel(on: loop))
            let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
            process = try ChildProcess.start(
                "ssh", shared + ["-W", place, "--", host], environment, input: input.descriptor,
                output: output.descriptor, error: null.descriptor, leadsSession: true)
        } catch {
            throw .notConnected(reason: "\(error)")
        }
        input.closeDescriptor()
        output.closeDescriptor()
        let end = EndOfChild()
        end.watch(process, in: children)
        defer {
            input.socket.shutDown()
            output.socket.shutDown()
            if end.value == nil { kill(process, SIGTERM) }
        }
        let deadline = Instant.now() + .seconds(60)
        (input.socket.deadline, output.socket.deadline) = (deadline, deadline)
        _ = await input.socket.writeAll(bytes)
        var reader = ToolResponseReader()
        var hasCome = false
        do throws(ToolResponseError) {
            while let piece = await output.socket.nextPiece() {
                hasCome = true
                if let answer = try reader.take(piece) { return answer }
            }
            if hasCome { return try reader.end() }
        } catch {
            throw .unusableResponse(error)
        }
        // An ssh that still runs has reached the tool, which has the callback and is silent: it must not get it again.
        guard let ended = await end.wait(until: Instant.now() + .seconds(5)), ended != .exited(0) else {
            throw .unusableResponse(.cut)
        }
        // ssh's own process says why, about now, unless its LogLevel is low.
        let limit = Instant.now() + .milliseconds(500)
        while lastRefusal == nil, Instant.now() < limit {
            await EventLoop.sleep(until: Instant.now() + .milliseconds(20))
        }
        throw .notConnected(reason: lastRefusal)
    }

    /// The words for the person's session, as ssh is told them.
    func session(_ command: String?, withTerminal: Bool) -> [String] {
        let own = ["ssh", "-S", controlPath, "-o", "ControlMaster=no", "-o", "ClearAllForwardings=yes"]
        return own + (withTerminal ? ["-t"] : []) + arguments.connectionOptions + ["--", host]
            + (command.map { [$0] } ?? [])
    }
}

/// The reason why a port of the far machine's loopback has given no answer.
enum ExchangeError: Error {
    /// There is no listener, or the server forbids the way there; with its words, as far as ssh has told them.
    case notConnected(reason: String?)
    case unusableResponse(ToolResponseError)

    var isForbidden: Bool {
        if case .notConnected(let reason?) = self { reason.hasPrefix("administratively prohibited") } else { false }
    }
}

/// A program on the far machine.
struct FarProgram {
    let process: Int32
    let input: Socket
    let output: Socket
    let end = EndOfChild()

    func leave() {
        input.shutDown()
        output.shutDown()
    }
}

/// The end of a child, once it has come.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class EndOfChild: @unchecked Sendable {
    private(set) var value: ChildEnd?
    private var waiting: [Signal] = []

    func watch(_ process: Int32, in children: ChildTable) {
        children.whenEnds(process) { [self] end in
            value = end
            for signal in waiting { signal.raise() }
            waiting = []
        }
    }

    /// - Returns: nil when it was not in time.
    func wait(until deadline: Instant = .never) async -> ChildEnd? {
        guard value == nil else { return value }
        let signal = Signal()
        waiting.append(signal)
        _ = await signal.wait(until: deadline)
        return value
    }
}
