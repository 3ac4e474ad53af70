import SwitchyardOAuth
import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Public status") struct PublicStatusTests {
    @Test("claimed and redeeming read as pending")
    func pending() throws {
        #expect(try PublicStatus(.sample()) == .pending)
        #expect(try PublicStatus(.sample(.claim)) == .pending)
        #expect(try PublicStatus(.sample(.hold, .handOver)) == .pending)
    }

    @Test("a held code reads as release_required, until it is released or held for too long")
    func held() throws {
        #expect(try PublicStatus(.sample(.hold)) == .releaseRequired)
        #expect(try PublicStatus(.sample(.hold, .release(.sample, for: .redemption))) == .pending)
        #expect(try PublicStatus(.sample(.hold, .age)) == .failed)
    }

    @Test("an outcome reads as completed, failed or expired")
    func outcomes() throws {
        #expect(try PublicStatus(.sample(.claim, .finish(.completed))) == .completed)
        #expect(
            try PublicStatus(.sample(.hold, .handOver, .finish(.completed))) == .completed,
            "in response mode nobody redeems")
        #expect(try PublicStatus(.sample(.claim, .finish(.failed(.accessDenied)))) == .failed)
        #expect(try PublicStatus(.sample(.claim, .finish(.passedOn))) == .completed)
        #expect(try PublicStatus(.sample(.cancel)) == .failed)
        #expect(try PublicStatus(.sample(.claim, .cancel)) == .failed)
        #expect(try PublicStatus(.sample(.age)) == .expired)
    }

    @Test("work that was abandoned reads as failed, not as expired")
    func abandoned() throws {
        #expect(try PublicStatus(.sample(.claim, .age)) == .failed)
        #expect(try PublicStatus(.sample(.hold, .handOver, .age)) == .failed)
    }

    @Test("a result that was read or acknowledged keeps its status")
    func collected() throws {
        let read = RequestTransition.read(discardAt: Timestamp(milliseconds: 1_100_000))
        #expect(try PublicStatus(.sample(.claim, .finish(.completed), read)) == .completed)
        #expect(try PublicStatus(.sample(.claim, .finish(.completed), read, .acknowledge)) == .completed)
    }

    @Test(
        "the names on the wire are those of the design",
        arguments: [
            (.pending, "pending"), (.releaseRequired, "release_required"), (.completed, "completed"),
            (.failed, "failed"), (.expired, "expired"),
        ] as [(PublicStatus, String)])
    func names(status: PublicStatus, name: String) {
        #expect(status.rawValue == name)
    }
}
