/// The slot of a key in a cluster.
public enum HashSlot {
    /// How many there are.
    public static let count = 16384

    /// The CRC16 of the key's hash tag, the text between its first braces; without one, of the whole key. So keys with
    /// the same tag are at one node.
    public static func of(_ key: some Collection<UInt8>) -> Int {
        Int(crc16(tag(of: key))) % count
    }

    private static func tag<Key: Collection<UInt8>>(of key: Key) -> Key.SubSequence {
        guard let open = key.firstIndex(of: UInt8(ascii: "{")) else { return key[...] }
        let behind = key[key.index(after: open)...]
        guard let close = behind.firstIndex(of: UInt8(ascii: "}")), close > behind.startIndex else { return key[...] }
        return behind[..<close]
    }

    /// CRC-16/XMODEM: the polynomial 0x1021, from 0, not reflected.
    static func crc16(_ bytes: some Collection<UInt8>) -> UInt16 {
        bytes.reduce(0) { crc, byte in crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 8) ^ byte)] }
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
    }
}
