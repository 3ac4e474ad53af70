import SwitchyardHTTP
import SwitchyardReactor
import Testing

@testable import SwitchyardGateway

/// The ports of an agent for callbacks, which open and close while sign-ins come and go.
@Suite("Callback ports", .timeLimit(.minutes(1))) struct CallbackPortsTests {
    private struct NoService: Service {
        func respond(to request: Request) async -> Response { Response(.notFound) }
    }

    /// Ports that close as soon as no sign-in needs them, and the loop of their servers.
    private final class World: Sendable {
        let ports = CallbackPorts(lastPage: .zero)
        private let group: EventLoopGroup

        init() throws {
            group = try EventLoopGroup(count: 1)
            try group.start()
            ports.adopt { [group] socket in
                let server = Server(
                    group: group, limits: HTTPLimits(), connections: .forOwnUser(at: socket.port), service: NoService())
                server.listen(Listener(socket.address, context: nil, number: 0), on: socket)
                return server
            }
        }

        deinit { group.stop() }

        /// Begins on the loop. Tasks of one loop run in the order in which they begin, each until it first waits.
        func start<Value: Sendable>(_ body: @escaping @Sendable (CallbackPorts) async -> Value) -> Task<Value, Never> {
            Task(executorPreference: group.loops[0]) { [ports] in await body(ports) }
        }

        func run<Value: Sendable>(_ body: @escaping @Sendable (CallbackPorts) async -> Value) async -> Value {
            await start(body).value
        }

        /// A port that was open a moment ago, and that no sign-in needs any more.
        func unusedPort() async throws -> UInt16 { try #require(await run { await $0.reserve(nil)?.port }) }
    }

    private static func isTaken(_ port: UInt16) -> Bool {
        (try? ListeningSocket(.tcp(host: "127.0.0.1", port: port))) == nil
    }

    @Test("a port that is being closed is opened again, and not taken for another program's")
    func closing() async throws {
        let world = try World()
        let port = try await world.unusedPort()
        let reserved = await world.run { _ in
            let closing = world.start { await $0.age { _ in false } }
            let reserving = world.start { await $0.reserve(port) }
            await closing.value
            return await reserving.value
        }
        #expect(reserved?.port == port && Self.isTaken(port))
    }

    @Test("a port is closed once no sign-in needs it")
    func unused() async throws {
        let world = try World()
        let port = try await world.unusedPort()
        #expect(Self.isTaken(port))
        await world.run { await $0.age { _ in false } }
        #expect(!Self.isTaken(port))
    }

    @Test("sign-ins that want one port at the same time share it")
    func shared() async throws {
        let world = try World()
        let port = try await world.unusedPort()
        await world.run { await $0.age { _ in false } }
        let reserved = await world.run { _ in
            let reserving = (0..<3).map { _ in world.start { await $0.reserve(port) } }
            var reserved: [CallbackPorts.Reservation?] = []
            for one in reserving { reserved.append(await one.value) }
            return reserved
        }
        #expect(reserved.map { $0?.port } == [port, port, port])
    }

    @Test("a port that another program has is none, and can be had once that is gone")
    func another() async throws {
        let world = try World()
        var other: ListeningSocket? = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        let port = try #require(other?.port)
        #expect(await world.run { await $0.reserve(port)?.port } == nil)
        other = nil
        #expect(await world.run { await $0.reserve(port)?.port } == port)
    }
}
