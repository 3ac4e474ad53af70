import SwitchyardCrypto
import SwitchyardJSON
import SwitchyardOAuth
import SwitchyardText

@testable import SwitchyardRedemption

extension Fixture {
    /// Claims of a signed authorization response that are right, but for `changes`; null takes one out.
    func responseClaims(_ changes: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(server.url), "aud": "client", "exp": .integer(clock.time.wall().seconds + 300),
            "code": "c0de", "state": "the-state",
        ]
        for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
        return claims
    }

    /// The result of a signed response.
    func verify(_ compact: String) async throws -> Result<CheckedResponse, ResponseCheckError> {
        try await check("response=\(compact)", isSigned: true)
    }

    /// The result of a callback's query, for the request with the state `the-state`.
    func check(_ query: String, isSigned: Bool = false) async throws -> Result<CheckedResponse, ResponseCheckError> {
        let form = try RedirectURI("https://login.contoso.com/app1/auth").form
        let unchecked = try UncheckedResponse(query: Array(query.utf8), content: nil, isSigned: isSigned, at: form)
        let matched = try unchecked.matched(redirectURI: form, state: SHA256Digest(of: "the-state"))
        return await run { [issuer] redeemer in
            do throws(ResponseCheckError) {
                return .success(try await redeemer.check(matched, from: issuer, to: "client", tenants: []))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Why a signed response is not trusted; nil when it is, or when that cannot be said.
    func distrust(_ compact: String) async throws -> String? {
        guard case .rejected(let reason) = try await verify(compact).failure else { return nil }
        return "\(reason)"
    }
}
