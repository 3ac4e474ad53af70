internal import SwitchyardConfiguration
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// How the gateway's configuration stands: when it was read, which files of it are left out, and why the last reload was refused.
/// Safe from any thread.
final class ConfigurationState: Sendable {
    struct Snapshot: Sendable {
        /// In milliseconds since 1970.
        var loadedAt = WallTime.now().milliseconds
        var leftOut: [LeftOutFile] = []
        /// The last reload, where that was refused.
        var refusal: Refusal?
        /// The number of reloads so far.
        var revision = 0
    }

    struct Refusal: Sendable {
        /// In milliseconds since 1970.
        let at: Int64
        let reason: String
    }

    private let state: Mutex<Snapshot>

    init(leftOut: [LeftOutFile]) { state = Mutex(Snapshot(leftOut: leftOut)) }

    var snapshot: Snapshot { state.withLock(\.self) }

    func loaded(leftOut: [LeftOutFile]) {
        state.withLock { $0 = Snapshot(leftOut: leftOut, revision: $0.revision + 1) }
    }

    func refused(_ reason: String) {
        state.withLock {
            $0.refusal = Refusal(at: WallTime.now().milliseconds, reason: reason)
            $0.revision += 1
        }
    }
}

extension ConfigurationState.Snapshot {
    /// The lines for an operator of a gateway that is ready in spite of them.
    var warnings: [String] { leftOut.map(\.reason) }

    /// The member `configuration` of `GET /v1/status`.
    var json: JSONObject {
        var object: JSONObject = ["loaded_at": .string(ISODate.format(loadedAt))]
        object["refused"] = refusal.map {
            .object(["at": .string(ISODate.format($0.at)), "reason": .string($0.reason)])
        }
        object["files_left_out"] = .array(
            leftOut.map { file in
                .object([
                    "file": .string(file.file), "reason": .string(file.reason),
                    "serves": .string(file.servesEarlierVersion ? "last_good_version" : "nothing"),
                ])
            })
        return object
    }
}
