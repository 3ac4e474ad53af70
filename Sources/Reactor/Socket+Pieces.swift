extension Socket {
    /// The next piece; nil at the end, and after the deadline (``deadline``).
    public func nextPiece() async -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            switch read(into: &buffer, at: 0) {
            case .bytes(let count): return buffer[..<count]
            case .endOfStream, .failed: return nil
            case .wouldBlock: guard await readable() == .ready else { return nil }
            }
        }
    }

    /// Writes all bytes.
    /// - Returns: false when the reader has gone, and after the deadline (``deadline``).
    public func writeAll(_ bytes: [UInt8]) async -> Bool {
        var offset = 0
        while offset < bytes.count {
            switch write(bytes, from: offset) {
            case .bytes(let count): offset += count
            case .endOfStream, .failed: return false
            case .wouldBlock: guard await writable() == .ready else { return false }
            }
        }
        return true
    }
}
