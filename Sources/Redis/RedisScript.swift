internal import SwitchyardCrypto

/// A script in Lua that Redis runs as one step.
public struct RedisScript: Hashable, Sendable {
    private let source: [UInt8]
    /// The digest by which a server recognizes it.
    private let digest: [UInt8]

    /// - Parameter source: what is in `KEYS` and `ARGV` comes with each run.
    public init(_ source: String) {
        self.source = Array(source.utf8)
        digest = Array(ScriptDigest.hexadecimal(of: self.source).utf8)
    }

    /// - Parameter keyCount: how many of the arguments come first and are keys.
    func byDigest(_ keyCount: Int, _ arguments: RedisArguments) -> RedisCommand {
        Self.command(Self.evalsha, digest, keyCount, arguments)
    }

    /// The server knows it afterwards.
    func inFull(_ keyCount: Int, _ arguments: RedisArguments) -> RedisCommand {
        Self.command(Self.eval, source, keyCount, arguments)
    }

    private static let evalsha = Array("EVALSHA".utf8)
    private static let eval = Array("EVAL".utf8)

    private static func command(
        _ name: [UInt8], _ script: [UInt8], _ keyCount: Int, _ arguments: RedisArguments
    ) -> RedisCommand {
        var all = RedisArguments([name, script])
        all.append(Int64(keyCount))
        all.append(contentsOf: arguments)
        return RedisCommand(all)
    }
}
