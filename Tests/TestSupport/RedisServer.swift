import Glibc
public import SwitchyardRedis
import Synchronization

/// A real Redis server on a private port, for as long as a test holds it.
public final class RedisServer: Sendable {
    /// The folder of the certificates for development, which are made where they are missing.
    public static let certificates: String = {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/certs"
        if unsafe access(folder + "/dev/server.key", F_OK) != 0, let process = try? spawn([folder + "/generate"]) {
            var status: Int32 = 0
            _ = unsafe waitpid(process, &status, 0)
        }
        return folder + "/dev"
    }()

    public let address: RedisAddress
    private let process: pid_t
    /// Its own, because a server reads at its start what another one has left there.
    private let folder: String
    private let hasEnded = Mutex(false)

    /// Why a server could not be started.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Comes back once the server takes connections.
    /// - Parameters:
    ///   - isTLS: over TLS only, with a certificate for `localhost`; clients have to show one too.
    ///   - isClusterNode: with a second port, at which nodes talk to each other.
    ///   - port: nil for a free one.
    ///   - arguments: more of the server's options. A name that ends in `.conf` comes first, as the file
    ///     of its options.
    public init(
        isTLS: Bool = false, isClusterNode: Bool = false, port: UInt16? = nil, _ arguments: [String] = []
    ) throws {
        folder = try LastingFolder.make()
        let common = [
            "--save", "", "--appendonly", "no", "--dir", folder, "--loglevel", "warning", "--logfile", "/dev/null",
        ]
        // A port that was free may be somebody's when the server gets to it.
        for attempt in 1... {
            let ownPort = try port ?? Self.freePort()
            var options = ["redis-server"] + arguments.filter { $0.hasSuffix(".conf") }
            if isTLS {
                let folder = Self.certificates
                options += ["--port", "0", "--tls-port", "\(ownPort)", "--tls-cert-file", "\(folder)/server.pem"]
                // At an address, too, that the certificate is not for.
                options += ["--bind", "127.0.0.1", "127.0.0.2"]
                options += ["--tls-key-file", "\(folder)/server.key", "--tls-ca-cert-file", "\(folder)/ca.pem"]
            } else {
                options += ["--port", "\(ownPort)", "--bind", "127.0.0.1"]
            }
            if isClusterNode { options += ["--cluster-enabled", "yes", "--cluster-port", "\(try Self.freePort())"] }
            let process = try Self.spawn(options + common + arguments.filter { !$0.hasSuffix(".conf") })
            if Self.waitUntilItListens(process, ownPort) {
                address = RedisAddress(host: isTLS ? "localhost" : "127.0.0.1", port: ownPort)
                self.process = process
                return
            }
            guard port == nil, attempt < 5 else {
                throw Failure(description: "redis-server does not start at port \(ownPort)")
            }
        }
        preconditionFailure("the last attempt throws")
    }

    /// - Returns: whether it takes connections; false when it has ended instead, or is killed because it does neither.
    private static func waitUntilItListens(_ process: pid_t, _ port: UInt16) -> Bool {
        var status: Int32 = 0
        for _ in 0..<3000 {
            if unsafe waitpid(process, &status, WNOHANG) == process { return false }
            if isListening(port) { return true }
            usleep(10_000)
        }
        kill(process, SIGKILL)
        _ = unsafe waitpid(process, &status, 0)
        return false
    }

    deinit { end() }

    /// Kills it, and removes what it has written.
    public func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        kill(process, SIGKILL)
        var status: Int32 = 0
        _ = unsafe waitpid(process, &status, 0)
        guard let removal = try? Self.spawn(["rm", "-rf", folder]) else { return }
        _ = unsafe waitpid(removal, &status, 0)
    }

    /// Stops it, lets it go on, or kills it.
    public func signal(_ number: Int32) {
        kill(process, number)
    }

    static func spawn(_ arguments: [String]) throws -> pid_t {
        var process = pid_t()
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        // A reader of the tests' output waits until all processes have closed it, and a server may outlive a test that
        // crashes.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        guard unsafe posix_spawnp(&process, arguments[0], &actions, nil, &copies, environ) == 0 else {
            throw Failure(description: "\(arguments[0]) is not there: make test-packages installs what tests need")
        }
        return process
    }

    public static func write(_ text: String, to path: String) throws {
        guard let file = unsafe fopen(path, "w") else { throw Failure(description: "\(path) cannot be written") }
        defer { unsafe fclose(file) }
        guard unsafe fputs(text, file) >= 0 else { throw Failure(description: "\(path) cannot be written") }
    }

    private static let givenPorts = Mutex<Set<UInt16>>([])

    /// A free loopback port, below the range of outgoing connections.
    public static func freePort() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 10_000..<32_000)
            if givenPorts.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
        }
        throw Failure(description: "no port is free")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        unsafe atLoopback(port) { unsafe bind($0, $1, $2) == 0 }
    }

    private static func isListening(_ port: UInt16) -> Bool {
        unsafe atLoopback(port) { unsafe connect($0, $1, $2) == 0 }
    }

    private static func atLoopback(
        _ port: UInt16, _ isDone: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe isDone(probe, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
