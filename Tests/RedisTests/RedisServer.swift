import Glibc
import SwitchyardReactor
import SwitchyardRedis
import Testing

/// A real Redis server on a private port, for as long as a test holds it.
final class RedisServer: Sendable {
    /// The folder of the certificates for development, which are made where they are missing.
    static let certificates: String = {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/certs"
        if unsafe access(folder + "/dev/server.key", F_OK) != 0, let process = try? spawn([folder + "/generate"]) {
            var status: Int32 = 0
            _ = unsafe waitpid(process, &status, 0)
        }
        return folder + "/dev"
    }()

    let address: RedisAddress
    private let process: pid_t

    /// - Parameters:
    ///   - isTLS: over TLS only, with a certificate for `localhost`; clients have to show one too.
    ///   - arguments: more of the server's options.
    init(isTLS: Bool = false, _ arguments: String...) throws {
        let port = try Self.freePort()
        address = RedisAddress(host: isTLS ? "localhost" : "127.0.0.1", port: port)
        var options = ["redis-server", "--save", "", "--appendonly", "no", "--dir", "/tmp"]
        if isTLS {
            let folder = Self.certificates
            options += ["--port", "0", "--tls-port", "\(port)", "--tls-cert-file", "\(folder)/server.pem"]
            // At an address, too, that the certificate is not for.
            options += ["--bind", "127.0.0.1", "127.0.0.2"]
            options += ["--tls-key-file", "\(folder)/server.key", "--tls-ca-cert-file", "\(folder)/ca.pem"]
        } else {
            options += ["--port", "\(port)", "--bind", "127.0.0.1"]
        }
        process = try Self.spawn(options + ["--loglevel", "warning", "--logfile", "/dev/null"] + arguments)
    }

    deinit {
        signal(SIGKILL)
        var status: Int32 = 0
        _ = unsafe waitpid(process, &status, 0)
    }

    /// Stops it, lets it go on, or kills it.
    func signal(_ number: Int32) {
        kill(process, number)
    }

    private static func spawn(_ arguments: [String]) throws -> pid_t {
        var process = pid_t()
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
        let result = unsafe posix_spawnp(&process, arguments[0], nil, nil, &copies, environ)
        try #require(result == 0, "\(arguments[0]) is not there: make test-packages installs what tests need")
        return process
    }

    /// A loopback port that nobody listens on now.
    private static func freePort() throws -> UInt16 {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(probe, generic, size) == 0 && getsockname(probe, generic, &size) == 0
            }
        }
        try #require(bound)
        return UInt16(bigEndian: address.sin_port)
    }
}
