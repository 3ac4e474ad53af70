/// How a write of all bytes ended.
public enum WriteEnd: Sendable {
    case written
    /// The peer has gone.
    case peerGone
    /// The deadline has passed (``Socket/deadline``), or the wait was interrupted.
    case notInTime
}

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
    public func writeAll(_ bytes: [UInt8]) async -> WriteEnd {
        var offset = 0
        while offset < bytes.count {
            switch write(bytes, from: offset) {
            case .bytes(let count): offset += count
            case .endOfStream, .failed: return .peerGone
            case .wouldBlock: guard await writable() == .ready else { return .notInTime }
            }
        }
        return .written
    }
}
