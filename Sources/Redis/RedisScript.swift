internal import SwitchyardCrypto

/// A script in Lua that Redis runs as one step.
public struct RedisScript: Hashable, Sendable {
    private let source: [UInt8]
    /// By which a server knows it again.
    private let digest: [UInt8]

    /// - Parameter source: what is in `KEYS` and `ARGV` comes with each run.
    public init(_ source: String) {
        self.source = Array(source.utf8)
        digest = Array(ScriptDigest.hexadecimal(of: self.source).utf8)
    }

    func byDigest(_ keys: [[UInt8]], _ arguments: [[UInt8]]) -> RedisCommand {
        Self.command("EVALSHA", digest, keys, arguments)
    }

    /// The server knows it afterwards.
    func inFull(_ keys: [[UInt8]], _ arguments: [[UInt8]]) -> RedisCommand {
        Self.command("EVAL", source, keys, arguments)
    }

    private static func command(
        _ name: String, _ script: [UInt8], _ keys: [[UInt8]], _ arguments: [[UInt8]]
    ) -> RedisCommand {
        RedisCommand([Array(name.utf8), script, Array("\(keys.count)".utf8)] + keys + arguments)
    }
}
