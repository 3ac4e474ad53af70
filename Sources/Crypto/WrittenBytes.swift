extension [UInt8] {
    /// Bytes as `write` puts them into a block of that size. In one allocation, and as quick in another module as here,
    /// which the library's own initializer of this kind is not: it makes the array by way of its type's metadata.
    /// - Parameter capacity: how many there are at the most.
    @inlinable @inline(__always)
    package init(upTo capacity: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        unsafe self.init(unsafeUninitializedCapacity: capacity) { block, count in
            var out = unsafe OutputSpan(buffer: block, initializedCount: 0)
            write(&out)
            count = unsafe out.finalize(for: block)
        }
    }
}
