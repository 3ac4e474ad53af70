internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor

/// A socket at which a tool listens.
struct ToolListener: Hashable {
    let port: UInt16
    /// The inode: a socket made later has another one.
    let socket: UInt64
}

/// The port at which a tool of this user waits for its callback.
///
/// Every user of the machine can listen on loopback. So each socket that could take the connection must be this user's,
/// before the connection and once more behind it: then no other program has taken the port in between.
struct ToolPort {
    let port: UInt16
    private let listeners: Set<SocketTable.Row>

    /// The sockets at which the group listens now.
    static func listeners(of group: Int32) -> Set<ToolListener> {
        let sockets = openSockets(of: group)
        return Set(
            SocketTable().rows.filter { reaches($0) && sockets.contains($0.inode) }
                .map { ToolListener(port: $0.port, socket: $0.inode) })
    }

    /// - Parameters:
    ///   - named: the port that the person named; nil for the only one on which the group listens.
    ///   - first: the sockets at which the group listened when it opened the address. If there were any, no later one counts: it may be
    ///     of a server that the tool has started since.
    ///   - group: the tool's process group.
    /// - Throws: ``CommandError`` where no port, or none of this user's alone, is there.
    static func find(_ named: UInt16?, _ first: Set<ToolListener>, of group: Int32) throws(CommandError) -> ToolPort {
        let rows = SocketTable().rows.filter(reaches)
        if let named { return try ToolPort(named, among: rows) }
        let ports = Set((first.isEmpty ? listeners(of: group) : first).map(\.port))
        guard let port = ports.first else {
            throw CommandError(
                "the tool listens on no port of this machine, so its callback cannot be brought",
                hint: "is it still waiting? else name its port: --port")
        }
        guard ports.count == 1 else {
            let list = ports.sorted().map(String.init).joined(separator: ", ")
            throw CommandError("the tool listens on several ports: \(list)", hint: "name the callback's: --port")
        }
        let found = try ToolPort(port, among: rows)
        guard first.allSatisfy({ known in found.listeners.contains { $0.inode == known.socket } }) else {
            throw CommandError(
                "the tool no longer listens on port \(port), and another socket does, so the callback does not go there",
                hint: "begin the sign-in again in the tool")
        }
        return found
    }

    private init(_ port: UInt16, among rows: [SocketTable.Row]) throws(CommandError) {
        let listeners = rows.filter { $0.port == port }
        guard !listeners.isEmpty else {
            throw CommandError(
                "no program listens on 127.0.0.1:\(port), so the callback cannot be brought",
                hint: "is the tool still waiting for its sign-in?")
        }
        guard listeners.allSatisfy({ $0.user == geteuid() && $0.inode != 0 }) else {
            throw CommandError(
                "another user's program listens on port \(port), so the callback does not go there",
                hint: "give the tool another port")
        }
        self.port = port
        self.listeners = Set(listeners)
    }

    /// Sends a callback, once.
    /// - Parameter target: its path and query.
    /// - Returns: the status of the tool's answer; nil for an answer that is none.
    func send(_ target: String, on loop: EventLoop) async throws(CommandError) -> Int? {
        let socket: Socket
        do throws(ConnectError) {
            socket = try await Socket.connect(to: "127.0.0.1", port: port, on: loop, until: .now() + .seconds(10))
        } catch {
            throw CommandError("the tool at 127.0.0.1:\(port) takes no connection: \(error)")
        }
        defer { socket.shutDown() }
        // A socket that was there before and is there now had the port all the time.
        guard Set(SocketTable().rows.filter { Self.reaches($0) && $0.port == port }) == listeners else {
            throw CommandError("another program has taken port \(port) meanwhile, so the callback does not go there")
        }
        socket.deadline = .now() + .seconds(30)
        let head = [
            "GET \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Accept: text/html,*/*;q=0.8",
            "User-Agent: switchyard/\(Switchyard.version)", "Connection: close", "", "",
        ]
        guard await socket.writeAll(Array(head.joined(separator: "\r\n").utf8)) == .written else {
            throw CommandError("the tool at 127.0.0.1:\(port) has closed the connection")
        }
        var answer: [UInt8] = []
        // The tool may still be writing its page: it is read to its end, or what is there of it.
        while answer.count < 256 << 10, let piece = await socket.nextPiece() { answer += piece }
        let words = String(decoding: answer.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self).split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1.") else { return nil }
        return Int(words[1])
    }

    /// Whether a connection to 127.0.0.1 could reach the socket: its address, each address, and both in IPv6's form.
    private static func reaches(_ row: SocketTable.Row) -> Bool {
        row.isListening
            && [
                "0100007F", "00000000", "00000000000000000000000000000000", "0000000000000000FFFF00000100007F",
                "0000000000000000FFFF000000000000",
            ].contains(row.address)
    }

    /// The inodes of the sockets that this user's processes of a group hold.
    private static func openSockets(of group: Int32) -> Set<UInt64> {
        var sockets: Set<UInt64> = []
        for process in (try? Folder("/proc").names()) ?? [] where Int32(process).map({ getpgid($0) == group }) == true {
            for descriptor in (try? Folder("/proc/\(process)/fd").names()) ?? [] {
                guard let target = FilePath.target(ofLink: "/proc/\(process)/fd/\(descriptor)"),
                    target.hasPrefix("socket:["), let inode = UInt64(target.dropFirst(8).dropLast())
                else { continue }
                sockets.insert(inode)
            }
        }
        return sockets
    }
}
