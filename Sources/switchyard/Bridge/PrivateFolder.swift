internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardFiles
internal import SwitchyardReactor

/// A folder of this user only, which goes with this process, however it ends.
final class PrivateFolder: Sendable {
    let path: String
    /// The caretaker waits for the end of this channel, which the kernel closes with the process.
    private let lifeline: ChildChannel

    /// - Throws: if the folder cannot be made.
    init(on loop: EventLoop) throws {
        // Another user's, which root has after `su`, is no place: that user could put a folder of its own there, and be ssh's
        // master.
        let runtime = UserFolders.ofLogin.flatMap { FilePath.isWritable($0) ? $0 : nil }
        // A socket's path is short (unix(7)), and ssh puts a suffix behind one.
        let base = runtime.flatMap { $0.utf8.count < 50 ? $0 : nil } ?? "/tmp"
        var template = Array("\(base)/switchyard-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard made else { throw SystemError("mkdtemp(\"\(base)/switchyard-XXXXXX\")", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        lifeline = try ChildChannel(on: loop)
        defer { lifeline.closeDescriptor() }
        guard let null = try? OpenFile("/dev/null", for: .device) else { return }
        _ = try ChildProcess.start(
            "sh", ["sh", "-c", Self.caretaker, "sh", path], ["PATH=\(Environment["PATH"] ?? "/usr/bin:/bin")"],
            input: lifeline.descriptor, output: null.descriptor, error: null.descriptor, leadsSession: true, bond: .none
        )
    }

    /// A script that ignores the signals of the terminal and those that end this process.
    private static let caretaker = #"trap '' HUP INT QUIT TERM; cat >/dev/null; rm -rf -- "$1""#

    func remove() {
        for name in [Self.controlName, Self.browserName] { FilePath.remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    static let controlName = "control"
    static let browserName = "browser"

    /// The path of ssh's control socket.
    var controlPath: String { "\(path)/\(Self.controlName)" }
    /// A path for a socket that leads to a tool on the far machine.
    var newSocketPath: String { "\(path)/\(Hexadecimal.encode(Random.bytes(4)))" }
    /// The path of the socket for the far machine's addresses.
    var browserPath: String { "\(path)/\(Self.browserName)" }
}
