import SwitchyardCrypto
import Testing

@Suite("Secret") struct SecretTests {
    @Test("a secret shows itself in no form of printing")
    func printing() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])", "\(Optional(secret) as Any)"] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("redacted"))
        }
    }

    @Test("secrets are equal when their bytes are")
    func equality() {
        #expect(Secret("abc") == Secret([97, 98, 99]))
        #expect(Secret("abc") != Secret("abd"))
        #expect(Secret("abc") != Secret("ab"))
        #expect(Set([Secret("abc"), Secret("abc")]).count == 1)
    }

    @Test("the bytes given to a secret stay untouched when it is gone")
    func ownCopy() {
        let bytes = [UInt8](repeating: 7, count: 64)
        do { _ = Secret(bytes) }
        #expect(bytes == [UInt8](repeating: 7, count: 64))
    }

    @Test("exposed bytes stay when the secret is gone")
    func exposedCopy() {
        func exposed() -> [UInt8] { Secret([UInt8](repeating: 9, count: 64)).exposedBytes }
        #expect(exposed() == [UInt8](repeating: 9, count: 64))
    }

    @Test("random tokens are long enough and differ")
    func random() {
        let tokens = Set((0..<100).map { _ in Random.token() })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.utf8.count == 43 })
    }
}
