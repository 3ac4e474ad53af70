import Testing

@testable import SwitchyardGateway

@Suite("Reasons of refusals") struct RefusalReasonTests {
    @Test(
        "each word by which a log line says why something was refused is explained",
        arguments: RefusalReason.all.sorted())
    func explained(word: String) {
        #expect(!Explanation.named(word).isEmpty)
        #expect(word.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 })
    }
}
