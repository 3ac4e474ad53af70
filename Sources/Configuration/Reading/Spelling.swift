/// Finds the word that somebody probably meant.
public enum Spelling {
    /// The candidate that differs least from `word`, if any is near enough to be a slip of the hand: a third of the
    /// letters at most, and two in a short word.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let letters = Array(word.utf8)
        // A word longer than every option is no slip, and the comparison costs its length.
        guard letters.count <= 64 else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(letters, Array(candidate.utf8))
            let allowed = min(max(2, candidate.utf8.count / 3), letters.count - 1)
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.word
    }

    /// Edits between two words: letters put in, left out, changed, or two neighbors swapped.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
