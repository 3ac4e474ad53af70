import SwitchyardTLS
import Testing

@Suite("A TLS client's first message") struct ClientHelloTests {
    /// A record with the content type `handshake`, or another.
    private func record(_ content: [UInt8], type: UInt8 = 22) -> [UInt8] {
        [type, 3, 1, UInt8(content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
    }

    /// A handshake message with `body`, or the beginning of one that claims another length.
    private func message(type: UInt8 = 1, claiming length: Int? = nil, _ body: [UInt8]) -> [UInt8] {
        let length = length ?? body.count
        return [type, UInt8(length >> 16), UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)]
            + body
    }

    private func body(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    /// The result of reading `bytes` in pieces of `size`.
    private func read(_ bytes: [UInt8], by size: Int) -> FirstHello.Step {
        var hello = FirstHello()
        var rest = bytes[...]
        while !rest.isEmpty {
            let step = hello.read(rest.prefix(size))
            if step != .incomplete { return step }
            rest = rest.dropFirst(size)
        }
        return .incomplete
    }

    @Test("a message up to the limit is complete, however its records are cut", arguments: [0, 1, 200, 15_000, 16_384])
    func complete(length: Int) {
        let hello = message(body(length))
        let expected =
            hello.count <= 1 << 14 ? record(hello) : record(Array(hello[..<16_384])) + record(Array(hello[16_384...]))
        for size in [1, 3, 5000, 1 << 14] {
            let records = stride(from: 0, to: hello.count, by: size)
                .flatMap { record(Array(hello[$0..<min($0 + size, hello.count)])) }
            #expect(read(records, by: 4096) == .complete(expected))
            #expect(read(records, by: 1) == .complete(expected))
        }
    }

    @Test(
        "a message that claims more is refused as soon as its header is there", arguments: [16_385, 131_000, 0xFF_FFFF])
    func tooLong(length: Int) {
        let header = message(claiming: length, [])
        #expect(read(record(header + body(60)), by: 4096) == .refused(alert: .illegalParameter))
        #expect(read(header.flatMap { record([$0]) }, by: 4096) == .refused(alert: .illegalParameter))
        #expect(read(header.flatMap { record([$0]) }, by: 1) == .refused(alert: .illegalParameter))
    }

    @Test("a beginning takes no more memory than twice its bytes")
    func memory() {
        var hello = FirstHello()
        let beginning = record(message(claiming: 16_384, body(60)))
        let step = hello.read(beginning[...])
        #expect(step == .incomplete)
        #expect(hello.heldBytes <= 2 * beginning.count)
    }

    @Test("bytes behind the message are kept as they came, in records of their own")
    func rest() {
        let hello = record(message(body(10)))
        let behind = record([1], type: 20) + [22, 3]
        #expect(read(hello + behind, by: 4096) == .complete(hello + behind))
        #expect(read(record(message(body(10)) + [1]), by: 4096) == .refused(alert: .unexpectedMessage))
    }

    @Test("other messages, other records and other protocols are refused at their first bytes")
    func others() {
        #expect(read(record(message(type: 2, body(10))), by: 4096) == .refused(alert: .unexpectedMessage))
        #expect(read(record([1], type: 20), by: 1) == .refused(alert: .unexpectedMessage))
        #expect(read(record([]), by: 1) == .refused(alert: .unexpectedMessage))
        #expect(read([22, 3, 1, 0x40, 1], by: 1) == .refused(alert: .recordOverflow))
        #expect(read(Array("GET / HTTP/1.1\r\n".utf8), by: 4096) == .refused(alert: nil))
        #expect(read([0x80, 0x2E, 1, 3, 1], by: 1) == .refused(alert: nil))
    }

    @Test("a later hello may claim as much, behind whatever records, and no more")
    func later() {
        let behind = record([1], type: 20) + record(body(40), type: 23)
        for (length, isPermitted) in [(16_384, true), (16_385, false), (131_000, false)] {
            let header = message(claiming: length, [])
            let cuts = [
                behind + record(header), behind + header.flatMap { record([$0]) },
                record(message(type: 11, body(300)) + header),
            ]
            for bytes in cuts {
                var whole = LaterHello()
                let permits = whole.permits(bytes[...])
                #expect(permits == isPermitted)
                var single = LaterHello()
                let permitsSingle = bytes.allSatisfy { byte in single.permits([byte]) }
                #expect(permitsSingle == isPermitted)
            }
        }
        var other = LaterHello()
        let permits = other.permits(record(message(type: 11, claiming: 131_000, []))[...])
        #expect(permits)
    }
}
