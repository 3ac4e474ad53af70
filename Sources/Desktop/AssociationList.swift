/// A `mimeapps.list` or `mimeinfo.cache` (MIME Applications Associations Specification): which programs are for which
/// type. The person and all programs share it, so the lines of others stay byte for byte.
struct AssociationList: Hashable, Sendable {
    static let defaults = "Default Applications"
    static let added = "Added Associations"
    static let removed = "Removed Associations"
    static let cache = "MIME Cache"

    /// Without their line breaks.
    private var lines: [String]
    private let endsWithBreak: Bool

    init(_ text: String) {
        endsWithBreak = text.isEmpty || text.hasSuffix("\n")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if endsWithBreak { lines.removeLast() }
        self.lines = lines
    }

    var text: String {
        lines.isEmpty ? "" : lines.joined(separator: "\n") + (endsWithBreak ? "\n" : "")
    }

    /// The programs for a type, the first one first.
    func programs(for type: String, in group: String) -> [String] {
        index(of: type, in: group).map { Self.programs(in: lines[$0]) } ?? []
    }

    func hasGroup(_ group: String) -> Bool { lines.contains { Self.group($0) == group } }

    /// Whether there is no association and no word of anybody's in it.
    var isVoid: Bool { lines.allSatisfy { $0.trimmed.isEmpty || Self.group($0) != nil } }

    /// Makes a program the first for a type; those that were there stay behind it.
    mutating func put(_ program: String, first type: String, in group: String) {
        if let index = index(of: type, in: group) {
            let line = lines[index]
            guard let sign = line.firstIndex(of: "="), Self.programs(in: line).first != program else { return }
            // The old choices stay behind ours as they were written, so that removing us restores the line.
            lines[index] = "\(line[...sign])\(program);\(Self.value(line, without: program))"
            return
        }
        let line = "\(type)=\(program);"
        guard let start = lines.firstIndex(where: { Self.group($0) == group }) else {
            lines += ["[\(group)]", line]
            return
        }
        lines.insert(line, at: start + 1)
    }

    /// Removes a program from every list. A line without another program is deleted.
    /// - Parameter kept: the types with lines that stay as they are.
    mutating func remove(_ program: String, keeping kept: [String] = []) {
        lines = lines.compactMap { line in
            guard Self.group(line) == nil, !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else {
                return line
            }
            guard Self.programs(in: line).contains(program), !kept.contains(line[..<sign].trimmed) else { return line }
            let rest = Self.value(line, without: program)
            return rest.contains { $0 != ";" && $0 != " " } ? "\(line[...sign])\(rest)" : nil
        }
    }

    /// Removes a group that is empty.
    mutating func removeGroupIfEmpty(_ group: String) {
        guard let start = lines.firstIndex(where: { Self.group($0) == group }) else { return }
        let next = lines[(start + 1)...].first { !$0.trimmed.isEmpty }
        if next.map({ Self.group($0) != nil }) ?? true { lines.remove(at: start) }
    }

    private func index(of type: String, in group: String) -> Int? {
        var current: String?
        for (index, line) in lines.enumerated() {
            if let group = Self.group(line) {
                current = group
            } else if current == group, let sign = line.firstIndex(of: "="), line[..<sign].trimmed == type {
                return index
            }
        }
        return nil
    }

    private static func group(_ line: String) -> String? {
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        return String(line[line.index(after: line.startIndex)..<end])
    }

    /// The value of a line, without one program.
    private static func value(_ line: String, without program: String) -> String {
        guard let sign = line.firstIndex(of: "=") else { return "" }
        return line[line.index(after: sign)...].split(separator: ";", omittingEmptySubsequences: false)
            .filter { $0.trimmed != program }.joined(separator: ";")
    }

    private static func programs(in line: String) -> [String] {
        guard let sign = line.firstIndex(of: "=") else { return [] }
        return line[line.index(after: sign)...].split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}
