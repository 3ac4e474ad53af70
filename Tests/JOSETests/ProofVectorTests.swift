import SwitchyardCrypto
import SwitchyardJSON
import Testing

@testable import SwitchyardJOSE

@Suite("The proofs that RFC 9449 publishes") struct ProofVectorTests {
    /// RFC 9449 figures 2 and 3.
    private static let keyJWK: JSONObject = [
        "kty": "EC", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", "crv": "P-256",
    ]
    /// RFC 9449 section 6.1: what an access token is bound to.
    private static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
    private static let header =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0Rs"
        + "cEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2"
        + "In19"
    /// RFC 9449 figure 1, for the token endpoint, without `ath`.
    private static let tokenEndpointProof =
        header
        + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwi"
        + "aWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
    /// RFC 9449 figure 12, with `ath` for the access token beside it.
    private static let resourceProof =
        header
        + ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0"
        + "ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9"
        + ".2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
    private static let accessToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"

    @Test("the thumbprint is the one of RFC 9449 section 6.1")
    func thumbprint() throws {
        #expect(Base64URL.encode(try PublicKey(Self.keyJWK).thumbprint.bytes) == Self.thumbprint)
    }

    @Test("the proof for a token endpoint is accepted, and its jti is what is remembered")
    func tokenEndpoint() throws {
        let expected = PossessionProof(
            thumbprint: try PublicKey(Self.keyJWK).thumbprint, method: "POST",
            urls: ["https://server.example.com/token"],
            now: 1_562_262_616, token: "")
        #expect(try expected.check(Self.tokenEndpointProof) == SHA256Digest(of: "-BwC3ESc6acc2lTc"))
    }

    @Test("the proof for a resource is accepted with its access token, and with no other")
    func resource() throws {
        var expected = PossessionProof(
            thumbprint: try PublicKey(Self.keyJWK).thumbprint, method: "GET",
            urls: ["https://resource.example.org/protectedresource"], now: 1_562_262_618, token: Self.accessToken)
        #expect(try expected.check(Self.resourceProof) == SHA256Digest(of: "e1j3V_bKic8-LAEB"))
        expected.token += "x"
        #expect(throws: PossessionProofError.wrongToken) { try expected.check(Self.resourceProof) }
    }
}
