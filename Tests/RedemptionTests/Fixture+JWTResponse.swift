import JSON
import OAuth

@testable import Redemption

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
    func verify(_ compact: String) async throws -> Result<AuthorizationResponse, JWTResponseFailure> {
        let unverified = try UnverifiedJWTResponse.parse(compact: compact)
        return await run { [issuer] redeemer in
            do throws(JWTResponseFailure) {
                return .success(try await redeemer.verifiedResponse(unverified, issuer: issuer, clientID: "client"))
            } catch {
                return .failure(error)
            }
        }
    }
}
