import SwitchyardGatewayClient
import SwitchyardOAuth
import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Sign-in status") struct SignInStatusTests {
    @Test("claimed and redeeming read as pending")
    func pending() throws {
        #expect(try SignInStatus(.sample()) == .pending)
        #expect(try SignInStatus(.sample(.claim)) == .pending)
        #expect(try SignInStatus(.sample(.hold, .handOver)) == .pending)
    }

    @Test("a held code reads as release_required, until it is released or held for too long")
    func held() throws {
        #expect(try SignInStatus(.sample(.hold)) == .releaseRequired)
        #expect(try SignInStatus(.sample(.hold, .release(.sample, for: .redemption))) == .pending)
        #expect(try SignInStatus(.sample(.hold, .age)) == .failed)
    }

    @Test("an outcome reads as completed, failed or expired")
    func outcomes() throws {
        #expect(try SignInStatus(.sample(.claim, .finish(.completed))) == .completed)
        #expect(
            try SignInStatus(.sample(.hold, .handOver, .finish(.completed))) == .completed,
            "in response mode nobody redeems")
        #expect(try SignInStatus(.sample(.claim, .finish(.failed(.accessDenied)))) == .failed)
        #expect(try SignInStatus(.sample(.claim, .finish(.passedOn))) == .completed)
        #expect(try SignInStatus(.sample(.cancel)) == .failed)
        #expect(try SignInStatus(.sample(.claim, .cancel)) == .failed)
        #expect(try SignInStatus(.sample(.age)) == .expired)
    }

    @Test("work that was abandoned reads as failed, not as expired")
    func abandoned() throws {
        #expect(try SignInStatus(.sample(.claim, .age)) == .failed)
        #expect(try SignInStatus(.sample(.hold, .handOver, .age)) == .failed)
    }

    @Test("a result that was read or acknowledged keeps its status")
    func collected() throws {
        let read = RequestTransition.read(discardAt: Timestamp(milliseconds: 1_100_000))
        #expect(try SignInStatus(.sample(.claim, .finish(.completed), read)) == .completed)
        #expect(try SignInStatus(.sample(.claim, .finish(.completed), read, .acknowledge)) == .completed)
    }

    @Test(
        "the names on the wire are those of the design",
        arguments: [
            (.pending, "pending"), (.releaseRequired, "release_required"), (.completed, "completed"),
            (.failed, "failed"), (.expired, "expired"),
        ] as [(SignInStatus, String)])
    func names(status: SignInStatus, name: String) {
        #expect(status.rawValue == name)
    }
}
