import Glibc
import Synchronization

/// Folders that stay until the process of the tests ends: what a test has opened in one may outlive the test.
public enum LastingFolder {
    private static let number = Atomic(0)

    private static let parent: String? = {
        var name = Array("/tmp/switchyard-tests.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { return nil }
        atexit { LastingFolder.removeAll() }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// - Returns: the path of a fresh folder.
    public static func make() throws -> String {
        guard let parent else { throw RedisServer.Failure(description: "no temporary folder") }
        let path = "\(parent)/\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
        guard unsafe mkdir(path, 0o700) == 0 else { throw RedisServer.Failure(description: "no folder \(path)") }
        return path
    }

    private static func removeAll() {
        guard let parent, let removal = try? RedisServer.spawn(["rm", "-rf", parent]) else { return }
        var status: Int32 = 0
        _ = unsafe waitpid(removal, &status, 0)
    }
}
