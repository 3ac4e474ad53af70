import Testing

@testable import SwitchyardPendingRequests

@Suite("Trace context") struct TraceContextTests {
    private static let id = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    @Test(
        "a traceparent is read as it is written, and of a later version what this one has",
        arguments: [
            ("00-\(id)-\(span)-00", false), ("00-\(id)-\(span)-01", true), ("00-\(id)-\(span)-ff", true),
            ("00-\(id)-\(span)-fe", false), ("01-\(id)-\(span)-01", true), ("cc-\(id)-\(span)-01-what-comes", true),
            ("fe-\(id)-\(span)-00-", false),
        ])
    func good(value: String, isSampled: Bool) throws {
        let trace = try #require(TraceContext(traceparent: [value]))
        #expect(trace.idText == Self.id && trace.isSampled == isSampled)
    }

    @Test(
        "what is none is none, down to the last letter",
        arguments: [
            "", "00", "00-\(id)-\(span)", "00-\(id)-\(span)-", "00-\(id)-\(span)-1", "00-\(id)-\(span)-001",
            "00-\(id)-\(span)-01-", "00-\(id)-\(span)-01-more", "ff-\(id)-\(span)-01", "01-\(id)-\(span)-01more",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(id)-0000000000000000-01",
            "00-\(id.uppercased())-\(span)-01", "00-\(id)-\(span.uppercased())-01", "00-\(id)-\(span)-0A",
            "0G-\(id)-\(span)-01", " 00-\(id)-\(span)-01", "00-\(id)-\(span)-01 ", "00_\(id)_\(span)_01",
            "00-\(id)\(span)--01", "00-\(id)-\(span)-01,00-\(id)-\(span)-01", "00-\(id.dropLast())é-\(span)-01",
        ])
    func bad(value: String) {
        #expect(TraceContext(traceparent: [value]) == nil)
    }

    @Test("a caller that may not ask for a record gets the trace without one")
    func recorded() throws {
        let trace = try #require(
            TraceContext(traceparent: ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]))
        #expect(trace.recorded(onlyIf: true) == trace)
        let silent = try #require(trace.recorded(onlyIf: false))
        #expect(silent.idText == trace.idText)
        #expect(silent.makeTraceparent().hasSuffix("-00"))
    }

    @Test("two of them are none, and none is none")
    func several() {
        let value = "00-\(Self.id)-\(Self.span)-01"
        #expect(TraceContext(traceparent: [value, value]) == nil && TraceContext(traceparent: []) == nil)
    }

    @Test(
        "who is called on behalf of the trace gets it with a span of its own, each time another, and only the known flag"
    )
    func child() throws {
        let trace = try #require(TraceContext(traceparent: ["00-\(Self.id)-\(Self.span)-ff"]))
        let (first, second) = (trace.makeTraceparent(), trace.makeTraceparent())
        for value in [first, second] {
            #expect(TraceContext(traceparent: [value]) == trace)
            #expect(value.hasPrefix("00-\(Self.id)-") && value.hasSuffix("-01") && !value.contains(Self.span))
        }
        #expect(first != second)
    }
}
