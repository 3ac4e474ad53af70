/// The modules of a QR code. Positions count from the upper left corner; outside, everything is light.
struct QRCodeGrid {
    private let version: QRCodeVersion
    private let size: Int
    private var dark: [Bool]
    /// The modules that belong to a pattern, so no mask changes them.
    private var isFixed: [Bool]

    /// Draws the codewords with the mask that leaves the fewest large areas of one color. Readers accept each mask.
    init(_ version: QRCodeVersion, _ level: QRCodeLevel, _ codewords: [UInt8]) {
        self.version = version
        size = version.size
        dark = Array(repeating: false, count: size * size)
        isFixed = dark
        drawPatterns()
        draw(format: 0)
        draw(codewords)
        let unmasked = dark
        var best = (evenness: Int.max, dark: unmasked)
        for mask in 0..<8 {
            dark = unmasked
            apply(mask: mask)
            draw(format: Self.format(level, mask: mask))
            let evenness = evenness
            if evenness < best.evenness { best = (evenness, dark) }
        }
        dark = best.dark
    }

    func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        dark[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    // MARK: Patterns

    private mutating func drawPatterns() {
        for index in 0..<size {
            fix(index, 6, index % 2 == 0)
            fix(6, index, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawRings(x, y, reach: 4) { $0 != 2 && $0 != 4 } }
        let centers = version.alignment
        for x in centers {
            for y in centers where !isCorner(x, y) { drawRings(x, y, reach: 2) { $0 != 1 } }
        }
        drawVersion()
    }

    /// Three corners have finders in the place of alignment patterns.
    private func isCorner(_ x: Int, _ y: Int) -> Bool {
        (x == 6 && y == 6) || (x == 6 && y == size - 7) || (x == size - 7 && y == 6)
    }

    private mutating func drawRings(_ x: Int, _ y: Int, reach: Int, _ isDark: (Int) -> Bool) {
        for down in -reach...reach {
            for right in -reach...reach { fix(x + right, y + down, isDark(max(abs(right), abs(down)))) }
        }
    }

    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits = version.number << 12 | Self.check(version.number, bits: 12, by: 0x1F25)
        for index in 0..<18 {
            let (far, near) = (size - 11 + index % 3, index / 3)
            let isDark = bits >> index & 1 == 1
            fix(far, near, isDark)
            fix(near, far, isDark)
        }
    }

    /// The level and the mask, with their check bits.
    private static func format(_ level: QRCodeLevel, mask: Int) -> Int {
        let value = level.rawValue << 3 | mask
        return (value << 10 | check(value, bits: 10, by: 0x537)) ^ 0x5412
    }

    /// The remainder of a division of polynomials over GF(2).
    private static func check(_ value: Int, bits: Int, by divisor: Int) -> Int {
        var rest = value
        for _ in 0..<bits { rest = rest << 1 ^ (rest >> (bits - 1) & 1) * divisor }
        return rest & ((1 << bits) - 1)
    }

    private mutating func draw(format bits: Int) {
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            // Around the upper left finder, over the timing lines.
            switch index {
            case 0...5: fix(8, index, isDark)
            case 6, 7: fix(8, index + 1, isDark)
            case 8: fix(7, 8, isDark)
            default: fix(14 - index, 8, isDark)
            }
            // Once more, beside the other two.
            if index < 8 { fix(size - 1 - index, 8, isDark) } else { fix(8, size - 15 + index, isDark) }
        }
        fix(8, size - 8, true)
    }

    // MARK: Codewords

    /// Fills the free modules in columns of two, up and down in turn, from the right.
    private mutating func draw(_ codewords: [UInt8]) {
        var bit = 0
        var goesUp = true
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
            for step in 0..<size {
                let y = goesUp ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * size + x] && bit < 8 * codewords.count {
                    dark[y * size + x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            goesUp.toggle()
        }
    }

    private mutating func apply(mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x, y) { dark[y * size + x].toggle() }
        }
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// The number of modules that are like their neighbors, as squares of two by two: the fewer, the better.
    private var evenness: Int {
        var count = 0
        for y in 1..<size {
            for x in 1..<size {
                let isDark = dark[y * size + x]
                if isDark == dark[y * size + x - 1], isDark == dark[(y - 1) * size + x],
                    isDark == dark[(y - 1) * size + x - 1]
                {
                    count += 1
                }
            }
        }
        return count
    }
}
