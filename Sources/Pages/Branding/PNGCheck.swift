/// The check of a PNG (PNG Specification, third edition): whole, of a moderate size, and nothing behind it.
enum PNGCheck {
    /// The largest width and height.
    static let maximumSide = 2048

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func isMeant(by bytes: [UInt8]) -> Bool { bytes.starts(with: signature.prefix(4)) }

    static func check(_ bytes: [UInt8]) throws(LogoError) {
        guard bytes.starts(with: signature) else { throw LogoError("its signature is broken") }
        var rest = bytes.dropFirst(signature.count)
        var order = ChunkOrder()
        while !order.isAtEnd {
            let chunk = try Chunk(takenFrom: &rest)
            try order.accept(chunk)
        }
        guard rest.isEmpty else { throw LogoError("something follows the end of the PNG") }
    }

    /// One part of the file.
    fileprivate struct Chunk {
        let type: String
        let data: ArraySlice<UInt8>

        /// Removes the next chunk from `bytes`.
        init(takenFrom bytes: inout ArraySlice<UInt8>) throws(LogoError) {
            let cut = LogoError("the PNG is not whole")
            guard bytes.count >= 12 else { throw cut }
            let length = Int(PNGCheck.number(bytes.prefix(4)))
            guard length <= bytes.count - 12 else { throw cut }
            let body = bytes.dropFirst(4).prefix(4 + length)
            let end = bytes.dropFirst(8 + length)
            guard PNGCheck.number(end.prefix(4)) == CRC32.value(of: body) else {
                throw LogoError("a part of the PNG is damaged")
            }
            type = String(decoding: body.prefix(4), as: UTF8.self)
            data = body.dropFirst(4)
            bytes = end.dropFirst(4)
        }

        /// Whether a reader must understand it (section 5.4: the first letter is a capital one).
        var isCritical: Bool { type.utf8.first.map { $0 & 0x20 == 0 } ?? true }
    }

    /// The order of chunks (section 5.6).
    private struct ChunkOrder {
        private enum Place { case start, header, data, afterData, end }

        private var place = Place.start
        private var needsPalette = false
        private var hasPalette = false

        var isAtEnd: Bool { place == .end }

        mutating func accept(_ chunk: Chunk) throws(LogoError) {
            switch (chunk.type, place) {
            case ("IHDR", .start):
                needsPalette = try PNGCheck.header(Array(chunk.data)) == 3
                place = .header
            case (_, .start): throw LogoError("the PNG does not begin with its header")
            case ("PLTE", .header) where !hasPalette && !chunk.data.isEmpty && chunk.data.count % 3 == 0:
                hasPalette = true
            case ("IDAT", .header) where !needsPalette || hasPalette: place = .data
            case ("IDAT", .data): break
            case ("IEND", .data), ("IEND", .afterData): place = .end
            case _ where chunk.isCritical: throw LogoError("the PNG has a part that does not belong there")
            case (_, .data): place = .afterData
            default: break
            }
        }
    }

    /// Checks the header (section 11.2.1).
    /// - Returns: the color type.
    private static func header(_ data: [UInt8]) throws(LogoError) -> UInt8 {
        guard data.count == 13 else { throw LogoError("the header of the PNG is broken") }
        let (width, height) = (number(data[0..<4]), number(data[4..<8]))
        guard width > 0, height > 0 else { throw LogoError("the header of the PNG is broken") }
        guard max(width, height) <= maximumSide else {
            throw LogoError("it is \(width) × \(height) pixels, and \(maximumSide) are the most on a side")
        }
        let (depth, color) = (data[8], data[9])
        let depths: [UInt8: [UInt8]] = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
        guard depths[color]?.contains(depth) == true, data[10] == 0, data[11] == 0, data[12] <= 1 else {
            throw LogoError("the header of the PNG is broken")
        }
        return color
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// The checksum of PNG chunks (Annex D).
private enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func value(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
