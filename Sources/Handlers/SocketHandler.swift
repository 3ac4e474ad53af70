internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardJSON
internal import SwitchyardReactor

/// An app's Unix socket: one line of JSON goes there, `{"handled":true}` comes back.
extension Handlers {
    /// The longest answer; real ones have a few bytes.
    private static let maximumAnswer = 4096

    func deliver(_ delivery: Delivery, toSocket path: String) async -> DeliveryResult {
        guard let socket = try? Socket.connect(path: path, on: loop) else { return .unreachable }
        defer { socket.shutDown() }
        // The listener may be another user of this machine that was first at the path.
        guard let user = socket.peerUser, SocketOwner.isTrusted(user, at: path) else { return .notTrusted }
        socket.deadline = min(delivery.end, .now() + Self.answerLimit)
        switch await socket.writeAll(delivery.json + [UInt8(ascii: "\n")]) {
        case .written: return await answer(from: socket)
        case .peerGone: return .unreachable
        case .notInTime: return .timedOut
        }
    }

    private func answer(from socket: Socket) async -> DeliveryResult {
        var buffer = [UInt8](repeating: 0, count: Self.maximumAnswer + 1)
        var count = 0
        while true {
            switch socket.read(into: &buffer, at: count) {
            case .bytes(let more):
                count += more
                if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                    return Self.result(of: Array(buffer[..<end]))
                }
                if count > Self.maximumAnswer { return .failed }
            case .wouldBlock: if await socket.readable() != .ready { return .timedOut }
            case .endOfStream: return count == 0 ? .failed : Self.result(of: Array(buffer[..<count]))
            case .failed: return .failed
            }
        }
    }

    /// The result that an app's line stands for.
    static func result(of line: [UInt8]) -> DeliveryResult {
        switch (try? JSONValue.parse(line))?.object?["handled"] {
        case .bool(true): .ok
        case .bool(false): .refused
        default: .failed
        }
    }
}

/// The users that may listen at a path for callbacks.
enum SocketOwner {
    /// Whether a user that listens at `path` is trusted: this process's own user, root, or the owner of a folder that
    /// only its owner or root could have made or written in.
    static func isTrusted(_ user: UInt32, at path: String) -> Bool {
        if user == 0 || user == geteuid() { return true }
        var folder = path[...]
        var isInnermost = true
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard let permissions = try? FileStatus(at: folder.isEmpty ? "/" : String(folder)).permissions,
                permissions.isOwnersToChange
            else { return false }
            let owner = permissions.owner
            guard permissions.isOwnOrRoots || (isInnermost && owner == user) else { return false }
            // In a folder of ours or root's only we or root could have let that user make a socket.
            if isInnermost, owner != user { return false }
            isInnermost = false
        }
        return !isInnermost
    }
}
