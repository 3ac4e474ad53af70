internal import SwitchyardConfiguration
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import Synchronization

/// The sign-ins that other gateways carry for this one. Safe from any thread.
final class RemoteSignIns: Sendable {
    private let table = Mutex<[RequestID: RemoteSignIn]>([:])

    subscript(id: RequestID) -> RemoteSignIn? { table.withLock { $0[id] } }

    /// Ends a request for which no callback comes any more.
    static func fail(
        _ record: RequestRecord, _ failure: SignInFailure, on worker: GatewayWorker
    ) async throws(StoreError) {
        let body = AppResponse.body(of: failure)
        // An error of the issuer is what some browser has brought.
        let note = SignInFailureNote(failure, issuer: nil, isFromCallback: failure.oauthError != nil)
        _ = try await worker.registry.fail(record, failure.code, answer: body) { [events = worker.core.events] in
            events.report(.failed(note), of: $0)
        }
    }

    /// Resumes the sign-ins of an earlier process, once the store can be read. Only from a task of the worker's loop.
    func resume(on worker: GatewayWorker) async {
        while !worker.core.isStopping {
            do throws(StoreError) {
                for record in try await worker.registry.inherited() { _ = try await settled(record, on: worker) }
                return
            } catch {
                await EventLoop.sleep(until: .now() + .seconds(1))
            }
        }
    }

    /// Continues a request that another gateway carried for an earlier process. If this process can no longer ask that
    /// gateway, ends the request.
    /// - Returns: the request after that.
    func settled(_ record: RequestRecord, on worker: GatewayWorker) async throws(StoreError) -> RequestRecord {
        guard case .pending = record.phase, let app = worker.setup.routes.app(record.app), app.gateway != nil,
            let uri = record.redirect, let gateway = app.gateway(at: uri), self[record.id] == nil
        else { return record }
        if let signIn = RemoteSignIn(
            resuming: record, worker.registry.secrets(of: record), at: gateway,
            worker.setup.configuration.route)
        {
            signIn.follow(record, on: worker)
            return record
        }
        try await Self.fail(record, Self.forgotten, on: worker)
        return try await worker.registry.find(.id(record.id)) ?? record
    }

    private static let forgotten = SignInFailure(
        .internal,
        description: "the agent was restarted, and no longer has the gateway that waited for the callback; begin again")

    /// - Returns: false where the request has one.
    func add(_ signIn: RemoteSignIn, for id: RequestID) -> Bool {
        table.withLock { table in
            guard table[id] == nil else { return false }
            table[id] = signIn
            return true
        }
    }

    /// Whether one of them is called so.
    func have(_ reference: Reference) -> Bool {
        table.withLock { $0.values.contains { $0.reference == reference } }
    }

    func remove(_ id: RequestID) { table.withLock { $0[id] = nil } }
}
