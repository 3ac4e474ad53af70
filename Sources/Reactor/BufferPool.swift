/// Read buffers for connections that have something to read. An idle connection holds no buffer, so memory follows the
/// work and not the number of connections. Belongs to the thread of its loop.
public final class BufferPool {
    /// Bytes in a buffer: one TLS record's worth of a usual request.
    public static let bufferSize = 4096
    private static let limit = 256

    private var buffers: [[UInt8]] = []

    /// A buffer of ``bufferSize`` bytes with arbitrary content.
    public func take() -> [UInt8] {
        buffers.popLast() ?? [UInt8](repeating: 0, count: Self.bufferSize)
    }

    /// Gives a buffer back; one that has grown is let go instead.
    public func give(_ buffer: consuming [UInt8]) {
        if buffer.count == Self.bufferSize, buffers.count < Self.limit { buffers.append(buffer) }
    }
}
