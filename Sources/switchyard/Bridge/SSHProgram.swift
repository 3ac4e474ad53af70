internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor

/// Starts the system's ssh for one session, and waits for its ends.
///
/// Why `@unchecked Sendable`: it is used on its loop's thread only.
final class SSHProgram: @unchecked Sendable {
    let arguments: SSHArguments
    let loop: EventLoop
    private let children: ChildTable
    private let null: OpenFile
    private let environment = ChildProcess.ownEnvironment

    init(_ arguments: SSHArguments, on loop: EventLoop, children: ChildTable) throws {
        self.arguments = arguments
        self.loop = loop
        self.children = children
        do throws(FileError) {
            null = try OpenFile("/dev/null", for: .device)
        } catch {
            throw SystemError("open(\"/dev/null\")", code: error.code ?? ENOENT)
        }
    }

    /// One process of ssh.
    struct Run: Sendable {
        let process: Int32
        let end: Promise<ChildEnd>

        /// Asks it to end, unless it has ended.
        func terminate() {
            if end.current == nil { kill(process, SIGTERM) }
        }
    }

    /// - Parameters:
    ///   - options: those before the host.
    ///   - command: for the far machine.
    ///   - input: a standard descriptor; nil for none, as for the two others.
    func start(
        _ options: [String], command: String? = nil, input: Int32? = nil, output: Int32? = nil, error: Int32? = nil,
        leadsSession: Bool = false
    ) throws(SystemError) -> Run {
        let process = try ChildProcess.start(
            "ssh", ["ssh"] + options + ["--", arguments.host] + (command.map { [$0] } ?? []), environment,
            input: input ?? null.descriptor, output: output ?? null.descriptor, error: error ?? null.descriptor,
            leadsSession: leadsSession)
        return Run(process: process, end: children.end(of: process))
    }

    /// ssh's settings without us, as `ssh -G` tells them; nil where it refuses its options.
    func configuration() async throws -> [String: String]? {
        let voice = try ChildChannel(on: loop)
        let run = try start(["-G"] + arguments.connectionOptions, output: voice.descriptor)
        voice.closeDescriptor()
        var text: [UInt8] = []
        while let piece = await voice.socket.nextPiece(), text.count < 1 << 20 { text += piece }
        voice.socket.shutDown()
        guard await run.end.value == .exited(0) else { return nil }
        var values: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2, values[String(parts[0])] == nil { values[String(parts[0])] = String(parts[1]) }
        }
        return values
    }
}
