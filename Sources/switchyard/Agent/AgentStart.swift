internal import Glibc
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardReactor

/// Starts this user's agent for a command that needs it.
enum AgentStart {
    /// How long a start may take. A browser's person waits.
    private static let startLimit = Duration.seconds(8)

    /// The way of an app in a sandbox to the agent. A program that may write in that folder could put a socket of its
    /// own in the agent's place.
    static let wayOut =
        "outside, begin the agent, and give the app its folder: flatpak override --user --filesystem=xdg-run/switchyard:ro APP"

    static var isOutside: CommandError {
        CommandError("this user's agent cannot be reached from inside of Flatpak", hint: wayOut)
    }

    /// Returns once an agent takes connections; starts one where systemd does not. The agent is not told its purpose.
    /// Blocks.
    /// - Throws: ``CommandError`` with the agent's words.
    static func ensure() throws -> AgentFolder {
        if Host.isFlatpak {
            // Programs outside, where callbacks come, would not find an agent that was started inside of a sandbox.
            guard let folder = try? AgentFolder.find(), UnixSocket.isListening(at: folder.socket) else {
                throw isOutside
            }
            return folder
        }
        let folder: AgentFolder
        do throws(AgentFolder.FolderError) {
            folder = try AgentFolder.make()
        } catch {
            throw CommandError(error.description, hint: error.remedy)
        }
        if UnixSocket.isListening(at: folder.socket) { return folder }
        guard let program = OwnProcess.program,
            let process = OwnProcess.startDetached(program, ["agent"], log: folder.log)
        else { throw CommandError("the agent cannot be begun", hint: "start it: switchyard agent") }
        var end = Instant.now() + startLimit
        var isOver = false
        while Instant.now() < end {
            if UnixSocket.isListening(at: folder.socket) { return folder }
            if !isOver, OwnProcess.hasEnded(process) {
                isOver = true
                // Another one may have been quicker, and be about to listen.
                end = min(end, Instant.now() + .seconds(1))
            }
            usleep(20_000)
        }
        let reason = TextFile.text(folder.log)?.split(separator: "\n").first.map { ": \(String($0).printable)" } ?? ""
        throw CommandError("the agent did not start\(reason)", hint: "run `switchyard agent` and see what it says")
    }

    /// Whether there is anything for an agent to serve.
    static var isConfigured: Bool {
        guard let own = AgentFolder.configuration else { return false }
        let places = [own, "\(FilePath.folder(of: own))apps.d", AgentFolder.ofMachine]
        return places.contains(where: FilePath.exists)
    }
}
