internal import Glibc
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardHTTPClient
internal import SwitchyardJSON

/// The sign-ins for which this user's processes wait, as their sockets tell.
struct WaitingList: Sendable {
    struct Entry: Sendable {
        /// The path of the process's socket.
        let socket: String
        /// Keeps that path good.
        fileprivate let folder: WaitingFolder
        let reference: String
        let title: String
    }

    let entries: [Entry]

    /// Asks each process. Only from a task of the client's loop.
    /// - Throws: ``CommandError`` for a folder that another user could have tampered with.
    init(asking client: HTTPClient) async throws(CommandError) {
        let found: WaitingFolder?
        do throws(AgentFolder.FolderError) {
            found = try WaitingFolder.find()
        } catch {
            throw CommandError(error.description, hint: error.remedy)
        }
        var entries: [Entry] = []
        for name in found.map({ Folder.visibleNames(in: $0.path) }) ?? [] {
            guard let folder = found, let process = Int32(name.prefix { $0 != "-" }) else { continue }
            let path = folder.socket(name)
            if let entry = await Self.entry(path, in: folder, client) {
                entries.append(entry)
            } else if kill(process, 0) != 0, errno == ESRCH {
                // A process that was killed has left it.
                FilePath.remove(path)
            }
        }
        self.entries = entries
    }

    private static func entry(
        _ path: String, in folder: WaitingFolder, _ client: HTTPClient
    ) async -> Entry? {
        let request = OutgoingRequest(
            .get, "http://localhost/sign-in", timeout: .seconds(5), unixSocket: path, allowsPlainHTTP: true)
        guard let answer = try? await client.send(request), answer.status == 200,
            let object = (try? JSONValue.parse(answer.body))?.object, let reference = object["reference"]?.string
        else { return nil }
        return Entry(socket: path, folder: folder, reference: reference, title: object["title"]?.string ?? "")
    }

    /// Gives a code to one of them.
    static func release(_ code: String, to entry: Entry, with client: HTTPClient) async -> ReleaseAnswer {
        let request = OutgoingRequest(
            .post, "http://localhost/release", headers: [("Content-Type", "application/json")],
            body: JSONValue.object(["code": .string(code)]).serialized, timeout: .seconds(30), unixSocket: entry.socket,
            allowsPlainHTTP: true)
        do throws(TransferError) {
            let answer = try await client.send(request)
            return ReleaseAnswer((try? JSONValue.parse(answer.body))?.object ?? [:])
        } catch {
            return .failed("the process that waits has gone: \(error)")
        }
    }
}
