import Testing

@testable import SwitchyardGateway

@Suite("Accounts that a program names") struct AccountNameTests {
    private func kept(_ accounts: (id: String, username: String?)...) throws -> [KeptGrant] {
        try accounts.map { try grant("a.example", account: $0) }
    }

    @Test(
        "an identifier counts before a user name, and a user name counts in any case",
        arguments: [("1", ["1"]), ("2", ["2"]), ("Kim@Example.org", ["2"]), ("3", ["3"]), ("sam", []), ("", [])])
    func found(name: String, ids: [String]) throws {
        let all = try kept(("1", "3"), ("2", "kim@example.org"), ("3", nil))
        #expect(try all.of(account: name).map(\.account.id) == ids)
    }

    @Test("a user name of several accounts names none of them")
    func severalAccounts() throws {
        let all = try kept(("1", "sam"), ("2", "Sam"), ("1", "sam"))
        let refusal = #expect(throws: AgentRefusal.self) { try all.of(account: "sam") }
        guard case .accounts(let accounts)? = refusal?.detail else {
            Issue.record("no accounts to choose from")
            return
        }
        #expect(refusal?.code == "account_required" && accounts.map(\.id) == ["1", "2"])
        #expect(try all.of(account: "1").count == 2)
    }
}
