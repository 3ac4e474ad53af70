import SwitchyardText
import Testing

struct EventStreamParserTests {
    private func events(_ pieces: [String]) -> [EventStreamParser.Event] {
        var parser = EventStreamParser()
        return pieces.flatMap { parser.take(Array($0.utf8)) }
    }

    @Test func eventsAreFoundWhereverTheStreamIsCut() {
        let text = "event: status\ndata: {\"a\":1}\n\n: still here\n\ndata: x\ndata: y\n\n"
        let whole: [EventStreamParser.Event] = [
            .init(name: "status", data: "{\"a\":1}"), .init(name: "message", data: "x\ny"),
        ]
        #expect(events([text]) == whole)
        #expect(events(text.map { "\($0)" }) == whole)
        for end in text.indices { #expect(events(["\(text[..<end])", "\(text[end...])"]) == whole) }
    }

    @Test func everyEndOfALineCounts() {
        let whole: [EventStreamParser.Event] = [.init(name: "a", data: "1"), .init(name: "message", data: "2")]
        for end in ["\n", "\r", "\r\n"] {
            let text = ["event:a", "data:1", "", "data: 2", "", ""].joined(separator: end)
            #expect(events(text.unicodeScalars.map { "\($0)" }) == whole)
        }
    }

    @Test func anEventWithoutDataOrWithoutItsEndIsNone() {
        #expect(events(["event: status\n\n", "data: 1\n"]) == [])
    }

    @Test func whatNeverEndsIsNotKept() {
        var parser = EventStreamParser()
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<5 { #expect(parser.take(piece) == []) }
        #expect(parser.isOverfull)
        #expect(parser.take(Array("\n\ndata: x\n\n".utf8)) == [])
    }
}

extension EventStreamParserTests {
    @Test func idsAndPausesAreNoted() {
        var parser = EventStreamParser()
        let events = parser.take(Array("id: 7\nretry: 250\ndata:\n\nid: 8\n".utf8))
        #expect(events.map(\.data) == [""])
        #expect(parser.lastEventID == "7" && parser.retry == 250)
        _ = parser.take(Array("data: x\n\nid: a\u{01}b\nretry: soon\n\n".utf8))
        #expect(parser.lastEventID == "8" && parser.retry == 250)
    }
}
