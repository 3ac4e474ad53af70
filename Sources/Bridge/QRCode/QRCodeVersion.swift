/// How much of a code may be unreadable: 7 % or 15 %. The raw value stands in the code.
enum QRCodeLevel: Int {
    case low = 1
    case medium = 0
}

/// One of the 40 sizes of a QR code.
struct QRCodeVersion {
    /// 1 to 40.
    let number: Int

    static let all = (1...40).map(QRCodeVersion.init)

    var size: Int { 17 + 4 * number }

    /// The error correction of each version: the codewords in each block, and the number of blocks. From the standard's table 9,
    /// by https://www.thonky.com/qr-code-tutorial/error-correction-table, read 2026-11-28.
    private static let corrections: [QRCodeLevel: (perBlock: [Int], blocks: [Int])] = [
        .low: (
            [
                7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
                28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
            ],
            [
                1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
                8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
            ]
        ),
        .medium: (
            [
                10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
                26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
            ],
            [
                1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
                17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
            ]
        ),
    ]

    /// The coordinates of the alignment patterns' centers, in both directions.
    var alignment: [Int] {
        guard number > 1 else { return [] }
        let gaps = number / 7 + 1
        // An even step that reaches over the whole side. The standard's table makes one exception.
        let step = number == 32 ? 26 : (4 * number + 4 + 2 * gaps - 1) / (2 * gaps) * 2
        return [6] + (0..<gaps).map { size - 7 - (gaps - 1 - $0) * step }
    }

    /// The bits for which a code has room, beside its patterns.
    private var room: Int {
        // Three finders with their separators, two timing lines, and the format with the dark module.
        var taken = 3 * 64 + 2 * (size - 16) + 31
        let centers = alignment.count
        // Three corners have none; those on the timing lines share five modules with them.
        if centers > 0 { taken += (centers * centers - 3) * 25 - 2 * (centers - 2) * 5 }
        if number >= 7 { taken += 36 }
        return size * size - taken
    }

    /// All codewords of a text, in the order in which they are drawn.
    /// - Returns: nil if the text is too long.
    func codewords(for text: [UInt8], _ level: QRCodeLevel) -> [UInt8]? {
        guard let correction = Self.corrections[level] else { return nil }
        let (perBlock, blocks) = (correction.perBlock[number - 1], correction.blocks[number - 1])
        let total = room / 8
        guard let data = Self.data(text, size: total - perBlock * blocks, countBytes: number < 10 ? 1 : 2) else {
            return nil
        }
        let code = ReedSolomon(degree: perBlock)
        let shortLength = total / blocks - perBlock
        let shortBlocks = blocks - total % blocks
        var parts: [(data: ArraySlice<UInt8>, check: [UInt8])] = []
        var rest = data[...]
        for block in 0..<blocks {
            let part = rest.prefix(shortLength + (block < shortBlocks ? 0 : 1))
            rest = rest.dropFirst(part.count)
            parts.append((part, code.remainder(of: part)))
        }
        // Neighbors come from different blocks, so a stain hurts each of them little.
        let interleaved = (0...shortLength).flatMap { index in
            parts.compactMap { index < $0.data.count ? $0.data[$0.data.startIndex + index] : nil }
        }
        return interleaved + (0..<perBlock).flatMap { index in parts.map { $0.check[index] } }
    }

    /// The text in byte mode, filled up; nil if it is too long.
    private static func data(_ text: [UInt8], size: Int, countBytes: Int) -> [UInt8]? {
        guard text.count + countBytes + 1 <= size, text.count < 1 << (8 * countBytes) else { return nil }
        // The mode takes half a byte, so each byte that follows lies in two. The end of the text is half a byte of zeros.
        let counted = (0..<countBytes).reversed().map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
        var data: [UInt8] = []
        var half: UInt8 = 0b0100
        for byte in counted {
            data.append(half << 4 | byte >> 4)
            half = byte & 15
        }
        data.append(half << 4)
        for index in 0..<size - data.count { data.append(index % 2 == 0 ? 0xEC : 0x11) }
        return data
    }
}
