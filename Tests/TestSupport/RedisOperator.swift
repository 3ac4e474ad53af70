import SwitchyardReactor
public import SwitchyardRedis

/// Gives servers commands over its own connections, as their operator.
public final class RedisOperator: Sendable {
    private let test: TestLoop

    public init() throws {
        test = try TestLoop()
    }

    /// - Throws: ``RedisError``, also what the server answers.
    @discardableResult
    public func ask(_ server: RedisAddress, _ command: RedisCommand) async throws -> RedisValue {
        let loop = test.loop
        return try await test.run { () -> Result<RedisValue, RedisError> in
            do throws(RedisError) {
                var options = RedisOptions()
                options.name = "operator"
                let connection = try await RedisConnection.connect(to: server, options, on: loop)
                defer { connection.close() }
                return .success(try await connection.send(command, until: .now() + .seconds(10)))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Asks repeatedly until the answer is the expected one, for a minute and a half: a test's time limit does not end
    /// waits on a loop.
    /// - Throws: ``RedisServer/Failure`` if it never is.
    public func wait(
        for server: RedisAddress, _ command: RedisCommand, _ isWanted: @Sendable (RedisValue) -> Bool
    ) async throws {
        let end = Instant.now() + .seconds(90)
        while Instant.now() < end {
            if let answer = try? await ask(server, command), isWanted(answer) { return }
            await pause()
        }
        throw RedisServer.Failure(description: "\(server) does not answer \(command) as it should")
    }

    /// Until something else is worth a look.
    public func pause() async {
        await test.run { await EventLoop.sleep(until: .now() + .milliseconds(25)) }
    }
}
