internal import SwitchyardCrypto

/// A script in Lua that Redis runs as one step.
public struct RedisScript: Hashable, Sendable {
    private let source: [UInt8]
    /// The digest by which a server recognizes it.
    private let digest: [UInt8]

    /// A script that finds its keys and arguments under names of their own.
    /// - Parameters:
    ///   - keys: the names of local variables for the keys, in the order in which a run passes them.
    ///   - arguments: the names for the arguments. Further arguments are in `ARGV`, from the number `rest` on.
    ///   - prelude: functions for the body, which use none of these names.
    public init(keys: [String], arguments: [String], prelude: String = "", _ body: String) {
        func named(_ names: [String], _ list: String) -> String {
            guard !names.isEmpty else { return "" }
            let values = (1...names.count).map { "\(list)[\($0)]" }
            return "local \(names.joined(separator: ", ")) = \(values.joined(separator: ", "))\n"
        }
        self.init(
            prelude + named(keys, "KEYS") + named(arguments, "ARGV") + "local rest = \(arguments.count + 1)\n" + body)
    }

    /// - Parameter source: a text that finds its keys in `KEYS` and its arguments in `ARGV`.
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
