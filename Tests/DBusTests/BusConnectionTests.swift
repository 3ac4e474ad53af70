import Glibc
import SwitchyardReactor
import TestSupport
import Testing

@testable import SwitchyardDBus

@Suite("A connection to a message bus") struct BusConnectionTests {
    private static let peer = "org.example.Peer"

    private static func method(_ member: String, of name: String = peer) -> BusMethod {
        BusMethod(name, "/org/example/Peer", "org.example.Peer", member)
    }

    /// Runs `body` with a connection to a bus of its own.
    private func onBus<Value: Sendable>(
        _ body: @escaping @Sendable (BusConnection, PrivateBus) async -> Value
    ) async throws -> Value {
        let bus = try PrivateBus()
        defer { bus.end() }
        return try await connected(to: bus.address) { await body($0, bus) }
    }

    private func connected<Value: Sendable>(
        to address: String, _ body: @escaping @Sendable (BusConnection) async -> Value
    ) async throws -> Value {
        let test = try TestLoop()
        let result = await test.run { () async -> Result<Value, BusError> in
            do throws(BusError) {
                let connection = try BusConnection(to: address, on: test.loop)
                defer { connection.close() }
                return .success(await body(connection))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func failure(_ body: () async throws(BusError) -> Void) async -> BusError? {
        do throws(BusError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("a program of other hands is started and gets a notification's arguments as they were given")
    func notification() async throws {
        let answer = try await onBus { bus, _ -> Result<[BusValue], BusError> in
            let notify = BusMethod(Self.peer, "/org/example/Peer", "org.freedesktop.Notifications", "Notify")
            do throws(BusError) {
                return .success(
                    try await bus.call(
                        notify,
                        [
                            .string("Switchyard"), .uint32(7), .string(""), .string("Zürich"), .string("<b>"),
                            .strings(["default", "Open"]), .options(["urgency": .byte(1)]), .int32(-1),
                        ], within: .seconds(30)))
            } catch {
                return .failure(error)
            }
        }
        let expected =
            "('Switchyard', uint32 7, '', 'Zürich', '<b>', ['default', 'Open'], {'urgency': <byte 0x01>}, -1)"
        #expect(try answer.get() == [.string(expected)])
    }

    @Test(
        "an answer of every type is read",
        arguments: [
            ("true", .boolean(true)), ("int64 -5", .int64(-5)), ("uint64 5", .uint64(5)), ("2.5", .double(2.5)),
            ("objectpath '/a/b'", .objectPath("/a/b")), ("@as []", .array([], of: "s")),
            ("{'x': <'y'>, 'z': <uint32 1>}", .options(["x": .string("y"), "z": .uint32(1)])),
            ("{'x': 'y'}", .array([.entry(.string("x"), .string("y"))], of: "{ss}")),
            ("[(1, 'a')]", .array([.structure([.int32(1), .string("a")])], of: "(is)")),
            ("<byte 0x02>", .variant(.byte(2))),
        ] as [(String, BusValue)])
    func types(text: String, value: BusValue) async throws {
        let answer = try await onBus { bus, _ in
            try? await bus.call(Self.method("Give"), [.string(text)], within: .seconds(30))
        }
        #expect(answer == [.variant(value)])
    }

    @Test("an answer with more values than anybody asks for is not read")
    func tooMany() async throws {
        let failure = try await onBus { bus, _ in
            await Self.failure { () throws(BusError) in
                _ = try await bus.call(Self.method("Many"), [.uint32(5000)], within: .seconds(30))
            }
        }
        #expect(failure == .unreadable)
    }

    @Test("names say who has them, who could, and whose process it is")
    func names() async throws {
        let seen = try await onBus { bus, _ -> [String] in
            do throws(BusError) {
                var seen = ["\(try await bus.hasOwner(Self.peer)) \(try await bus.canStart(Self.peer))"]
                seen.append("\(try await bus.canStart("org.example.Nobody"))")
                try await bus.start(Self.peer, within: .seconds(30))
                let owner = try await bus.owner(of: Self.peer)
                seen.append("\(try await bus.hasOwner(Self.peer)) \(owner.hasPrefix(":"))")
                seen.append("\(try await bus.user(of: owner) == getuid())")
                return seen
            } catch {
                return ["\(error)"]
            }
        }
        #expect(seen == ["false true", "false", "true true", "true"])
    }

    @Test("a name without an owner, an ended program, and an error of the program are told apart")
    func refusals() async throws {
        let failures = try await onBus { bus, _ -> [BusError?] in
            var failures: [BusError?] = []
            for name in ["org.example.Nobody", "org.example.Gone", Self.peer] {
                failures.append(
                    await Self.failure { () throws(BusError) in
                        _ = try await bus.call(Self.method("Fail", of: name), within: .seconds(30))
                    })
            }
            return failures
        }
        #expect(failures.map { $0?.isNobodyThere } == [true, false, false])
        #expect(failures.map { $0?.isFailedStart } == [false, true, false])
        #expect(failures.last == .refused(name: "org.example.Error.Tired", message: "not today"))
    }

    @Test("a program that never answers ends a call at its time, and others go on")
    func silence() async throws {
        let seen = try await onBus { bus, _ -> [String] in
            _ = try? await bus.call(Self.method("Give"), [.string("1")], within: .seconds(30))
            let failure = await Self.failure { () throws(BusError) in
                _ = try await bus.call(Self.method("Silence"), within: .milliseconds(50))
            }
            let owned = try? await bus.hasOwner(Self.peer)
            return ["\(failure == .timedOut)", "\(owned == true)"]
        }
        #expect(seen == ["true", "true"])
    }

    @Test("a bus that ends fails the calls that wait, and every later one")
    func end() async throws {
        let seen = try await onBus { bus, daemon -> [Bool] in
            _ = try? await bus.call(Self.method("Give"), [.string("1")], within: .seconds(30))
            EventLoop.current?.execute { daemon.end() }
            let waiting = await Self.failure { () throws(BusError) in
                _ = try await bus.call(Self.method("Silence"), within: .seconds(30))
            }
            let later = await Self.failure { () throws(BusError) in _ = try await bus.hasOwner(Self.peer) }
            return [waiting != nil, waiting != .timedOut, later == .disconnected, !bus.isOpen]
        }
        #expect(seen == [true, true, true, true])
    }

    @Test(
        "an address without a bus is refused",
        arguments: ["unix:path=/nowhere/at/all", "autolaunch:", "nonsense", "", "unix:path=/a\0b"])
    func noBus(address: String) async throws {
        await #expect(throws: BusError.self) {
            let failure = try await connected(to: address) { bus in
                await Self.failure { () throws(BusError) in _ = try await bus.hasOwner(Self.peer) }
            }
            if let failure { throw failure }
        }
    }

    @Test("a silent socket holds a call no longer than its time")
    func mute() async throws {
        let path = "/tmp/switchyard-mute-\(getpid())"
        let listener = try ListeningSocket(.unix(path: path, mode: 0o600, group: nil))
        defer {
            _ = listener
            unsafe unlink(path)
        }
        let failure = try await connected(to: "unix:path=\(path)") { bus in
            await Self.failure { () throws(BusError) in
                _ = try await bus.call(Self.method("Give"), within: .milliseconds(50))
            }
        }
        #expect(failure == .timedOut)
    }

    @Test("a call that D-Bus cannot carry is not sent")
    func malformed() async throws {
        let failures = try await onBus { bus, _ -> [String] in
            let calls: [(BusMethod, [BusValue])] = [
                (Self.method("Give", of: "no name"), []), (Self.method("no member"), []),
                (Self.method("Give"), [.string("a\0b")]), (Self.method("Give"), [.objectPath("a b")]),
                (Self.method("Give"), [.array([.byte(1), .string("a")], of: "y")]),
                (Self.method("Give"), [.entry(.string("a"), .byte(1))]),
                (Self.method("Give\0"), []),
            ]
            var failures: [String] = []
            for (method, arguments) in calls {
                let failure = await Self.failure { () throws(BusError) in
                    _ = try await bus.call(method, arguments)
                }
                if case .malformed = failure {
                    failures.append("malformed")
                } else {
                    failures.append("\(failure as Any)")
                }
            }
            return failures
        }
        #expect(failures == Array(repeating: "malformed", count: 7))
    }

    @Test("a path in an address is escaped")
    func escaped() {
        #expect(BusConnection.escaped("/run/user/1000/bus") == "/run/user/1000/bus")
        #expect(BusConnection.escaped("/a b;c=ü") == "/a%20b%3Bc%3D%C3%BC")
    }
}
