import Testing

@testable import SwitchyardHTTP

@Suite("Unfinished bytes") struct UnfinishedBytesTests {
    @Test("all together take no more than there may be, and less is always taken")
    func total() {
        let bytes = UnfinishedBytes(maximum: 900)
        #expect(bytes.change(from: 0, to: 300, of: 1) && bytes.change(from: 0, to: 300, of: 2))
        #expect(bytes.change(from: 0, to: 300, of: nil))
        #expect(!bytes.change(from: 0, to: 1, of: 3) && !bytes.change(from: 300, to: 301, of: nil))
        #expect(bytes.change(from: 300, to: 100, of: nil))
        #expect(bytes.change(from: 0, to: 200, of: 3))
        bytes.adopt(maximum: 30)
        #expect(!bytes.change(from: 0, to: 1, of: 4))
        #expect(bytes.change(from: 300, to: 0, of: 1) && bytes.change(from: 300, to: 0, of: 2))
        #expect(bytes.change(from: 200, to: 0, of: 3) && bytes.change(from: 100, to: 0, of: nil))
        #expect(bytes.total == 0)
    }

    @Test("one network takes a third of it")
    func network() {
        let bytes = UnfinishedBytes(maximum: 900)
        #expect(bytes.change(from: 0, to: 200, of: 1) && bytes.change(from: 0, to: 100, of: 1))
        #expect(!bytes.change(from: 0, to: 1, of: 1))
        #expect(bytes.change(from: 0, to: 300, of: 2) && bytes.change(from: 0, to: 300, of: nil))
        #expect(bytes.change(from: 200, to: 150, of: 1))
        #expect(!bytes.change(from: 100, to: 151, of: 1) && bytes.change(from: 100, to: 150, of: 1))
    }
}
