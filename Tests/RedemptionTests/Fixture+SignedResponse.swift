import SwitchyardJSON
import SwitchyardOAuth

@testable import SwitchyardRedemption

extension Fixture {
    /// Claims of a signed authorization response that are right, but for `changes`; null takes one out.
    func responseClaims(_ changes: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(server.url), "aud": "client", "exp": .integer(clock.time.wallSeconds() + 300),
            "code": "c0de", "state": "the-state",
        ]
        for member in changes.members { claims[member.name] = member.value == .null ? nil : member.value }
        return claims
    }

    /// What becomes of a signed response.
    func verify(_ compact: String) async throws -> Result<AuthorizationResponse, SignedResponseRefusal> {
        let signed = try SignedResponse.parse(query: Array("response=\(compact)".utf8), content: nil)
        return await run { [issuer] redeemer in
            do throws(SignedResponseRefusal) {
                return .success(try await redeemer.verify(signed, from: issuer, to: "client", tenants: []))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Why a signed response is not trusted; nil when it is, or when that cannot be said.
    func distrust(_ compact: String) async throws -> String? {
        guard case .notTrusted(let reason) = try await verify(compact).failure else { return nil }
        return reason
    }
}
