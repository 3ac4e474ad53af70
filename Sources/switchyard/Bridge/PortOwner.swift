internal import Glibc

/// Who listens on a port of this machine, as far as /proc tells this user.
enum PortOwner {
    /// Such as `node (process 812)`; nil when it cannot be told.
    static func find(_ port: UInt16) -> String? {
        let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listening(port, in: $0) })
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

    /// The listening sockets as descriptors link to them.
    private static func listening(_ port: UInt16, in file: String) -> [String] {
        wholeText(file).split(separator: "\n").dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            // The local address, the state (0A: listening), the inode.
            guard words.count > 9, words[3] == "0A", let place = words[1].split(separator: ":").last,
                UInt16(place, radix: 16) == port
            else { return nil }
            return "socket:[\(words[9])]"
        }
    }

    /// The kernel gives a long table in pieces.
    private static func wholeText(_ path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while text.count < 16 << 20 {
            let count = unsafe read(file, &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
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
