import Glibc
import SwitchyardPendingRequests
import TestSupport
import Testing

@testable import SwitchyardSQLiteStore

@Suite("A file that a store uses") struct FilePinTests {
    @Test("a child that was forked while the store was open does not keep its file")
    func outlivedByChild() throws {
        let path = try LastingFolder.make() + "/requests.db"
        close(unsafe Glibc.open(path, O_CREAT | O_WRONLY, 0o600))
        var first: FilePin? = try FilePin(path)
        try first?.lock()
        // As a child has it between fork and exec: the same open file, under another descriptor.
        let copies = descriptors(of: path).map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        #expect(throws: StoreError.self) { try FilePin(path).lock() }
        first = nil
        try FilePin(path).lock()
    }

    private func descriptors(of path: String) -> [Int32] {
        (3..<Int32(4096)).filter { descriptor in
            var buffer = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
            return count > 0 && buffer.prefix(count).map(UInt8.init(bitPattern:)) == Array(path.utf8)
        }
    }
}
