/// Rows of text as lines whose columns stand below each other.
enum Table {
    static func lines(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.utf8.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                // Nothing is padded at the end of a line.
                let padding = column == row.count - 1 ? 0 : widths[column] - cell.utf8.count
                return cell + String(repeating: " ", count: padding)
            }
            return cells.joined(separator: "  ")
        }
    }
}
