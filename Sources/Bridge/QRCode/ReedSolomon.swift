/// The error correction of QR codes: bytes as elements of GF(256), by the polynomial 0x11D.
struct ReedSolomon {
    /// The generator's coefficients behind the first, which is 1.
    private let generator: [UInt8]

    /// - Parameter degree: the number of codewords that are added to a block.
    init(degree: Int) {
        var product: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            let multiplied = product.map { Self.multiply($0, root) }
            product.append(0)
            for (index, value) in multiplied.enumerated() { product[index + 1] ^= value }
            root = Self.multiply(root, 2)
        }
        generator = Array(product.dropFirst())
    }

    /// The codewords that are added to a block.
    func remainder(of block: ArraySlice<UInt8>) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: generator.count)
        for byte in block {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for (index, coefficient) in generator.enumerated() { rest[index] ^= Self.multiply(coefficient, factor) }
        }
        return rest
    }

    private static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (product, factor, rest): (UInt8, UInt8, UInt8) = (0, left, right)
        while rest != 0 {
            if rest & 1 == 1 { product ^= factor }
            factor = factor << 1 ^ (factor & 0x80 == 0 ? 0 : 0x1D)
            rest >>= 1
        }
        return product
    }
}
