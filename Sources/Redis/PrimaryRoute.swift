internal import SwitchyardReactor

/// One server takes all commands: always the same one, or the one that Sentinels name.
///
/// Why `@unchecked Sendable`: it is used on the thread of its loop only.
final class PrimaryRoute: CommandRoute, @unchecked Sendable {
    private let options: RedisOptions
    private let loop: EventLoop
    private let client: RedisClient
    private let sentinels: SentinelGroup?

    init(_ address: RedisAddress, _ options: RedisOptions, on loop: EventLoop) {
        self.options = options
        self.loop = loop
        sentinels = nil
        client = RedisClient(address, options, on: loop)
    }

    init(_ sentinels: SentinelGroup, _ options: RedisOptions, on loop: EventLoop) {
        self.options = options
        self.loop = loop
        self.sentinels = sentinels
        let client = RedisClient(on: loop) { () async throws(RedisError) in try await sentinels.connect() }
        self.client = client
        sentinels.onPrimary = { primary, isNew in
            guard let connection = client.connection, connection.address != primary else { return }
            let reason = "\(primary) is the primary now"
            // A former primary's yes is lost, so its connection closes. A Sentinel that only answered a question may be
            // wrong: then the connection may finish its answers while all Sentinels are asked.
            if isNew { connection.close(because: reason) } else { connection.retire(because: reason) }
        }
    }

    func send(
        _ command: RedisCommand, key: [UInt8], until deadline: Instant
    ) async throws(RedisError) -> RedisValue {
        var delays = Delays()
        while true {
            let connection = try await client.connection(until: deadline)
            do throws(RedisError) {
                let answer = try await connection.send(command, until: deadline)
                client.complaint = nil
                return answer
            } catch {
                switch error {
                // It has just ended. There is another one soon, or an error that says why not.
                case .notSent: guard Instant.now() < deadline else { throw error }
                case .outcomeUnknown: throw error
                case .server(let answered):
                    switch answered.kind {
                    // A new connection finds the present primary, behind a Sentinel or under this name.
                    case .readOnly, .masterDown:
                        client.complaint = answered
                        connection.retire(because: "\(answered)")
                    case .loading, .busy: break
                    default: throw error
                    }
                    let next = Instant.now() + delays.next()
                    guard next < deadline else { throw error }
                    await EventLoop.sleep(until: next)
                }
            }
        }
    }

    func sendToEach(
        _ command: RedisCommand, until deadline: Instant
    ) async throws(RedisError) -> [(server: RedisAddress, answer: Result<RedisValue, RedisError>)] {
        let server = try await client.connection(until: deadline).address
        do throws(RedisError) {
            return [(server, .success(try await send(command, key: [], until: deadline)))]
        } catch {
            return [(server, .failure(error))]
        }
    }

    func listen(
        _ onMessage: @escaping @Sendable (String, [UInt8]) -> Void
    ) async throws(RedisError) -> RedisConnection {
        let primary = try await client.connection(until: Instant.now() + options.connectTimeout).address
        return try await RedisConnection.connect(to: primary, options, on: loop, onMessage: onMessage)
    }

    func hears(_ server: RedisAddress) -> Bool {
        client.connection.map { $0.address == server } ?? true
    }

    func close() {
        sentinels?.close()
        client.close()
    }
}
