internal import Glibc
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// One line on standard error per sign-in event, with the sign-in's reference. Safe from any thread.
///
/// Lines are `time event key=value …`. Values come from the configuration or from fixed lists, or are encoded; secrets
/// have no way in, because what is logged is chosen here, field by field.
public final class EventLog: Sendable {
    /// What can be said about a sign-in.
    public enum Event: String, Sendable {
        case begun, started, returned, held, released, denied, completed, failed, collected, canceled,
            expired, refused, relayed
    }

    private struct State {
        var refusalsInSecond = 0
        var suppressed = 0
        var second: Int64 = 0
    }

    private let state = Mutex(State())
    private let descriptor: Int32

    /// Refused callbacks beyond this many a second are only counted: a flood must not fill the disk.
    private static let refusalsPerSecond = 20

    /// - Parameter descriptor: where lines go; standard error by default. nil writes nothing.
    public init(descriptor: Int32? = 2) {
        self.descriptor = descriptor ?? -1
    }

    /// Says something about one sign-in.
    func note(_ event: Event, _ record: RequestRecord, _ details: [(StaticString, String)] = []) {
        write(line(event, [("reference", "\(record.reference)"), ("app", record.app)] + details))
    }

    /// Says how time has ended a sign-in.
    func noteEnd(of record: RequestRecord) {
        switch record.outcome?.kind {
        case .heldTooLong: note(.failed, record, [("code", "release_failed"), ("cause", "held_too_long")])
        case .failed(let code): note(.failed, record, [("code", code), ("cause", "abandoned")])
        default: note(.expired, record)
        }
    }

    /// Says that a callback was refused; nothing in it is repeated.
    func refuse(_ reason: String, app: String?, _ reference: Reference? = nil, from address: String) {
        let suppressed: Int? = state.withLock { state in
            let now = WallClock.seconds()
            if now != state.second {
                state.second = now
                state.refusalsInSecond = 0
            }
            state.refusalsInSecond += 1
            guard state.refusalsInSecond <= Self.refusalsPerSecond else {
                state.suppressed += 1
                return nil
            }
            defer { state.suppressed = 0 }
            return state.suppressed
        }
        guard let suppressed else { return }
        var details: [(StaticString, String)] = [("reason", reason), ("from", address)]
        if let app { details.insert(("app", app), at: 0) }
        if let reference { details.insert(("reference", "\(reference)"), at: 0) }
        if suppressed > 0 { details.append(("not_shown_before", "\(suppressed)")) }
        write(line(.refused, details))
    }

    /// Says why a signed response was not believed, for whoever set the issuer up. Told as rarely as refusals are.
    /// - Parameter reason: from a fixed list.
    func explain(_ reason: String, app: String) {
        let isQuiet = state.withLock {
            $0.refusalsInSecond >= Self.refusalsPerSecond && $0.second == WallClock.seconds()
        }
        if !isQuiet { write(line(.refused, [("app", app), ("because", reason)])) }
    }

    /// Tells how many refusals were not shown, once a flood is over. To be called about once a second.
    func tellSuppressed() {
        let suppressed = state.withLock { state in
            guard state.suppressed > 0, WallClock.seconds() > state.second else { return 0 }
            defer { state.suppressed = 0 }
            return state.suppressed
        }
        if suppressed > 0 { write(line(.refused, [("not_shown_before", "\(suppressed)")])) }
    }

    /// Says something about the gateway itself.
    public func say(_ text: String) {
        write("\(ISODate.format(WallClock.milliseconds())) gateway \(text)\n")
    }

    private func line(_ event: Event, _ details: [(StaticString, String)]) -> String {
        var line = "\(ISODate.format(WallClock.milliseconds())) sign-in \(event.rawValue)"
        for (key, value) in details { line += " \(key)=\(Self.encoded(value))" }
        return line + "\n"
    }

    /// Quoted when it holds anything but plain characters, so that one event is always one line.
    private static func encoded(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        guard !isPlain else { return value }
        let safe = value.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\"" || scalar == "\\" ? "?" : String(scalar)
        }
        return "\"\(safe.joined())\""
    }

    private func write(_ line: String) {
        guard descriptor >= 0 else { return }
        // One call for one line: lines of different loops do not mix.
        let bytes = Array(line.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
