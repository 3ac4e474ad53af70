/// How a program ended.
public enum ChildEnd: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    public var isKilled: Bool {
        if case .killed = self { true } else { false }
    }

    /// - Parameter status: as `wait` has it.
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }

    /// The status in a shell's form.
    public var status: Int32 {
        switch self {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        }
    }
}
