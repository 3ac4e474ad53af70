internal import Glibc
internal import Synchronization

/// The result of reading the configuration again.
public enum ReloadReport: Sendable {
    case taken(apps: Int, issuers: Int, warnings: [String])
    /// The old one stays, for these reasons.
    case refused([String])
}

/// Certificates of a listener that were changed on the disk and cannot be used.
public struct CertificateRefusal: Sendable {
    /// The listener's number, in the order of the configuration.
    public let listener: Int
    /// It names the file.
    public let reason: String
}

/// The entry point for reloads over the admin listener. Safe from any thread.
final class AdminReload: Sendable {
    private struct State {
        var perform: (@Sendable () async -> ReloadReport)?
        var isBusy = false
    }

    private let state = Mutex(State())

    func adopt(_ perform: @escaping @Sendable () async -> ReloadReport) {
        state.withLock { $0.perform = perform }
    }

    /// nil while another reload is under way, and without a process that could do it: a caller must not keep a gateway
    /// busy with reading a file.
    func ask() async -> ReloadReport? {
        let perform = state.withLock { state -> (@Sendable () async -> ReloadReport)? in
            guard !state.isBusy, let perform = state.perform else { return nil }
            state.isBusy = true
            return perform
        }
        guard let perform else { return nil }
        defer { state.withLock { $0.isBusy = false } }
        return await perform()
    }

    /// Whether a user of this machine is root or the gateway's own user; nil stands for an unknown user.
    static func isOperator(_ uid: UInt32?) -> Bool { uid == 0 || uid == geteuid() }
}
