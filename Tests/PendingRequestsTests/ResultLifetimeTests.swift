import SwitchyardPendingRequests
import Testing

@Suite("Life of a result") struct ResultLifetimeTests {
    /// Whether the result of a completed request is still there after aging, with a result lifetime of 60 s.
    private func isThere(finishedAt: Int, readAt: Int?, agedAt: Int) throws -> Bool {
        var record = RequestRecord.sample()
        let claimedAt = finishedAt - 1
        try record.apply(.claim(by: "A", at: .at(claimedAt)), at: .at(claimedAt))
        try record.apply(.complete(at: .at(finishedAt)), at: .at(finishedAt))
        if let readAt { try record.apply(.read(at: .at(readAt)), at: .at(readAt)) }
        try? record.apply(.age, at: .at(agedAt))
        return record.outcome?.sealedAnswer != nil
    }

    @Test(
        "an unread result lives as long as the request, and at least for as long as a read one",
        arguments: [(5, 66, true), (5, 599, true), (5, 600, false), (590, 649, true), (590, 650, false)])
    func unread(finishedAt: Int, agedAt: Int, isThere: Bool) throws {
        #expect(try self.isThere(finishedAt: finishedAt, readAt: nil, agedAt: agedAt) == isThere)
    }

    @Test(
        "a result that was read lives for its lifetime from the first read on",
        arguments: [(5, 10, 69, true), (5, 10, 70, false), (5, 300, 359, true), (5, 300, 360, false)]
            as [(finishedAt: Int, readAt: Int, agedAt: Int, isThere: Bool)])
    func read(finishedAt: Int, readAt: Int, agedAt: Int, isThere: Bool) throws {
        #expect(try self.isThere(finishedAt: finishedAt, readAt: readAt, agedAt: agedAt) == isThere)
    }

    @Test(
        "a result that is first read shortly before its request would expire can still be read again",
        arguments: [(5, 595, 654, true), (5, 595, 655, false)]
            as [(finishedAt: Int, readAt: Int, agedAt: Int, isThere: Bool)])
    func readLate(finishedAt: Int, readAt: Int, agedAt: Int, isThere: Bool) throws {
        #expect(try self.isThere(finishedAt: finishedAt, readAt: readAt, agedAt: agedAt) == isThere)
    }

    @Test("an acknowledged result is gone")
    func acknowledged() throws {
        var record = RequestRecord.sample()
        try record.apply(.claim(by: "A", at: .at(1)), at: .at(1))
        try record.apply(.complete(at: .at(2)), at: .at(2))
        try record.apply(.acknowledge, at: .at(3))
        #expect(record.outcome?.sealedAnswer == nil)
        #expect(record.outcome?.isCollected == true)
    }
}
