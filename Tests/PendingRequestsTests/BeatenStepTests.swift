import Glibc
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardPendingRequests
@testable import SwitchyardRedisStore

/// Steps of a gateway that another writer beats each time. A server of its own, because the loops stand still meanwhile.
@Suite("Redis store: steps that come too late each time", .timeLimit(.minutes(2))) struct BeatenStepTests {
    private static let lost = "other steps of the same request came first each time, so this one was not taken"

    private let redis: TestRedis
    private let one: RedisStore
    private let other: RedisStore

    init() throws {
        redis = try TestRedis()
        let prefix = redis.freshPrefix()
        one = redis.store(prefix: prefix)
        other = redis.store(prefix: prefix)
    }

    /// Claims a request, and has the other writer change it before each try.
    /// - Parameter beforeWrite: is called with the number of the try.
    /// - Returns: how often it was tried, and what was thrown.
    private func claim(
        _ id: RequestID, until deadline: Instant, beforeWrite: @escaping @Sendable (Int) -> Void = { _ in }
    ) async -> (tries: Int, error: StoreError?) {
        let session = one.sessions[0]
        let tries = Mutex(0)
        let outcome = await session.loop.perform { [one] () async -> Result<Void, StoreError> in
            do throws(StoreError) {
                let first = try await session.read(.id(id), until: .now() + .seconds(30))
                _ = try await one.change(
                    session, .id(id), from: first, growthWithin: nil, at: .at(1), until: deadline
                ) { record throws(RequestTransition.Refusal) in
                    beat(id)
                    let number = tries.withLock { tries in
                        tries += 1
                        return tries
                    }
                    beforeWrite(number)
                    try record.apply(.claim(by: "A", at: .at(1)), at: .at(1))
                    return true
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        guard case .failure(let error) = outcome else { return (tries.withLock(\.self), nil) }
        return (tries.withLock(\.self), error)
    }

    /// The other writer stores the record anew, on its own loop. Returns once that is done.
    private func beat(_ id: RequestID) {
        let session = other.sessions[1]
        let isDone = Atomic(false)
        session.loop.start {
            let deadline = Instant.now() + .seconds(30)
            if let stored = try? await session.read(.id(id), until: deadline) {
                _ = try? await session.write(stored.record, over: stored, nil, at: .at(1), until: deadline)
            }
            isDone.store(true, ordering: .releasing)
        }
        while !isDone.load(ordering: .acquiring) { usleep(200) }
    }

    @Test("a step that is always beaten fails in the end, and is not taken")
    func always() async throws {
        let record = try await one.add(.sample())
        let (tries, error) = await claim(record.id, until: .now() + .seconds(60))
        #expect(tries == 12 && error?.description == Self.lost)
        #expect(try await other.find(.id(record.id)) == record)
    }

    @Test("no further try follows the caller's deadline, and the failure says that the step was not taken")
    func deadline() async throws {
        let record = try await one.add(.sample())
        // The fourth try is the first one that would wait. A slow machine needs more time to come so far.
        for patience in [1, 4, 16] {
            let deadline = Instant.now() + .seconds(patience)
            let (tries, error) = await claim(record.id, until: deadline) { number in
                while number == 4, Instant.now() < deadline { usleep(1000) }
            }
            guard tries >= 4 else { continue }
            #expect(tries == 4 && error?.description == Self.lost)
            #expect(try await other.find(.id(record.id)) == record)
            return
        }
        Issue.record("four tries took more than 16 s")
    }
}
