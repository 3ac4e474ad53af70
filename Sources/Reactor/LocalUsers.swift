internal import SwitchyardFiles

/// The users of this machine that the kernel can tell apart for this process.
///
/// In a user namespace, as in a rootless container or behind systemd's `PrivateUsers=`, all unmapped users share one
/// number, `overflowuid` (user_namespaces(7)). Grant nothing to that number: it may be any of them.
public struct LocalUsers: Sendable {
    /// The users as this process sees them. A process does not move to another user namespace while it runs.
    public static let own = LocalUsers(
        map: SmallFile.text("/proc/self/uid_map"), overflow: SmallFile.text("/proc/sys/kernel/overflowuid"))

    /// The numbers that users have here.
    private let numbers: [ClosedRange<UInt32>]
    /// The number that unmapped users share; nil where all users are mapped.
    private let strangers: UInt32?

    /// All user numbers. The kernel uses the highest number for "no user".
    private static let all: ClosedRange<UInt32> = 0 ... .max - 1
    private static let usualOverflow: UInt32 = 65534

    /// - Parameters:
    ///   - map: of the user namespace, a line for each range: first number here, first number outside, count.
    ///   - overflow: a number. If the kernel does not show one of them, the strictest value counts.
    init(map: String?, overflow: String?) {
        let ranges = map?.split(separator: "\n").compactMap { line -> ClosedRange<UInt32>? in
            let columns = line.split(separator: " ").compactMap { UInt32($0).map(UInt64.init) }
            guard columns.count == 3, columns[2] > 0 else { return nil }
            let last = min(columns[0] + columns[2] - 1, UInt64(Self.all.upperBound))
            return columns[0] <= last ? UInt32(columns[0])...UInt32(last) : nil
        }
        numbers = ranges ?? [Self.all]
        strangers =
            ranges == [Self.all] ? nil : overflow.flatMap { UInt32($0.prefix { !$0.isNewline }) } ?? Self.usualOverflow
    }

    /// Whether one user, and no other, comes by this number.
    public func contains(_ uid: UInt32) -> Bool {
        uid != strangers && numbers.contains { $0.contains(uid) }
    }
}
