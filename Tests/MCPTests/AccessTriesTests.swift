import SwitchyardJSON
import Testing

@testable import SwitchyardMCP

struct AccessTriesTests {
    @Test func aCallWithoutATokenGetsOne() {
        var tries = AccessTries()
        let step = tries.next(after: .noAccess, sent: 0, current: 0)
        #expect(step == .getToken)
    }

    @Test func aTokenThatCameMeanwhileIsTriedFirst() {
        var tries = AccessTries()
        let (first, second) = (
            tries.next(after: .noAccess, sent: 1, current: 2), tries.next(after: .noAccess, sent: 2, current: 2)
        )
        #expect(first == .sendAgain && second == .getToken)
    }

    @Test func theThirdTokenThatIsRefusedEndsTheCall() {
        var tries = AccessTries()
        let steps = (1...3).map { tries.next(after: .noAccess, sent: $0, current: $0) }
        #expect(steps == [.getToken, .getToken, .giveUp])
    }

    @Test func thereIsOneStepUp() {
        var tries = AccessTries()
        let (first, second) = (
            tries.next(after: .tooFewScopes, sent: 1, current: 1), tries.next(after: .tooFewScopes, sent: 2, current: 2)
        )
        #expect(first == .stepUp && second == .giveUp)
    }

    @Test func theSignInOfAnotherCallIsNoStepUpOfThisOne() {
        var tries = AccessTries()
        _ = tries.next(after: .tooFewScopes, sent: 1, current: 1)
        tries.sharedSignIn()
        let (own, last) = (
            tries.next(after: .tooFewScopes, sent: 2, current: 2), tries.next(after: .tooFewScopes, sent: 3, current: 3)
        )
        #expect(own == .stepUp && last == .giveUp)
    }

    @Test func tooFewScopesWithoutATokenAreNoStepUp() {
        var tries = AccessTries()
        let step = tries.next(after: .tooFewScopes, sent: 0, current: 0)
        #expect(step == .getToken)
    }

    @Test func noServerKeepsACallForever() {
        var tries = AccessTries()
        let steps = (0..<20).map { tries.next(after: .tooFewScopes, sent: 0, current: $0) }
        #expect(steps.last == .giveUp)
    }

    @Test func anAgentThatRunsComesFirst() {
        #expect(
            TokenOrigin.choose(isAgentRunning: true, isAgentConfigured: false, hasGateway: true)
                == .agent(mustStart: false))
        #expect(TokenOrigin.choose(isAgentRunning: false, isAgentConfigured: true, hasGateway: true) == .gateway)
        #expect(
            TokenOrigin.choose(isAgentRunning: false, isAgentConfigured: true, hasGateway: false)
                == .agent(mustStart: true))
        #expect(TokenOrigin.choose(isAgentRunning: false, isAgentConfigured: false, hasGateway: false) == .ownProcess)
    }
}

struct AccessTokenTests {
    @Test func aTokenEndsSoonBeforeItsEnd() throws {
        let long = try #require(AccessToken(["access_token": "a", "expires_in": 3600], at: 1000))
        #expect(!long.endsSoon(at: 4539) && long.endsSoon(at: 4540))
        let short = try #require(AccessToken(["access_token": "a", "expires_on": 1010], at: 1000))
        #expect(!short.endsSoon(at: 1007) && short.endsSoon(at: 1008))
        let endless = try #require(AccessToken(["access_token": "a"], at: 1000))
        #expect(!endless.endsSoon(at: .max))
        let field = endless.field
        #expect(field.name == "Authorization" && field.value == "Bearer a")
    }

    @Test(arguments: ["", "a b", "a\nb", "é"])
    func aTokenThatNoFieldTakes(_ text: String) {
        #expect(AccessToken(["access_token": .string(text)], at: 0) == nil)
    }

    @Test func theTypeOfAToken() throws {
        let bound = try #require(AccessToken(["access_token": "a", "token_type": "DPoP"], at: 0)).field
        #expect(bound.value == "DPoP a")
        let bearer = try #require(AccessToken(["access_token": "a", "token_type": "bearer"], at: 0)).field
        #expect(bearer.value == "Bearer a")
        #expect(AccessToken(["access_token": "a", "token_type": "mac"], at: 0) == nil)
    }
}
