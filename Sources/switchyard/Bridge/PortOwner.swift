internal import Glibc

/// Who listens on a port of this machine, as far as /proc tells this user.
enum PortOwner {
    /// Such as `node (process 812)`; nil when it cannot be told.
    static func find(_ port: UInt16) -> String? {
        let sockets = Set(
            SocketTable().rows.filter { $0.isListening && $0.port == port }.map { "socket:[\($0.inode)]" })
        guard !sockets.isEmpty else { return nil }
        for process in names(in: "/proc") where process.allSatisfy(\.isNumber) {
            for descriptor in names(in: "/proc/\(process)/fd") {
                guard let target = link("/proc/\(process)/fd/\(descriptor)"), sockets.contains(target) else { continue }
                let name = TextFile.firstLine("/proc/\(process)/comm") ?? "a program"
                return "\(name.quotable) (process \(process))"
            }
        }
        return nil
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func link(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
