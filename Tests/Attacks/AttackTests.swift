import SwitchyardOAuth
import SwitchyardPages
import SwitchyardRouting
import Testing

/// The attack strings against the pure parts; Tests/External/test_attacks.py sends them to a gateway.
@Suite("Attack strings") struct AttackTests {
    @Test("the file is read whole, and has every kind")
    func file() {
        #expect(AttackFile.unreadable.isEmpty)
        for (kind, count) in [
            (.uri, 700), (.callback, 70), (.path, 100), (.host, 40), (.response, 250), (.post, 50), (.request, 80),
            (.svg, 120), (.svgfile, 30),
        ] as [(Attack.Kind, Int)] {
            #expect(AttackFile.attacks(kind).count >= count, "\(kind.rawValue)")
        }
    }

    @Test("malformed and other redirect URIs never match ours", arguments: AttackFile.attacks(.uri))
    func uri(attack: Attack) throws {
        if attack.expectation == "other" {
            #expect(try Registered.table().route(RedirectURI(attack.text).form) == nil)
        } else {
            #expect(attack.expectation == "refused")
            #expect(throws: RedirectURIError.self, "\(attack.text)") { try RedirectURI(attack.text) }
        }
    }

    @Test("a string finds an app only by the app's own redirect URI", arguments: AttackFile.attacks(.callback))
    func callback(attack: Attack) throws {
        if attack.expectation == "refused" {
            #expect(throws: CallbackAddressError.self) { try CallbackAddress(relayed: attack.text) }
            return
        }
        let address = try CallbackAddress(relayed: attack.text)
        #expect(try Registered.table().route(address.form)?.app.id.text ?? "none" == attack.expectation)
    }

    @Test("a path that only resembles a redirect URI's has no route", arguments: AttackFile.attacks(.path))
    func path(attack: Attack) throws {
        #expect(attack.expectation == "none")
        let route = try Registered.table().route(https: Registered.host, port: 443, path: attack.bytes)
        #expect(route == nil)
    }

    @Test("a host that only resembles a redirect URI's has no route", arguments: AttackFile.attacks(.host))
    func host(attack: Attack) throws {
        #expect(attack.expectation == "none")
        let route = try Registered.table().route(https: attack.bytes, port: 443, path: Registered.path)
        #expect(route == nil)
    }

    @Test("the parameters of a callback are judged once and strictly", arguments: AttackFile.attacks(.response))
    func response(attack: Attack) throws {
        #expect(outcome(query: Sample.filled(attack.bytes), content: nil) == attack.expectation)
    }

    @Test("query and content are judged as one", arguments: AttackFile.attacks(.post))
    func post(attack: Attack) throws {
        let parts = attack.bytes.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let (query, content) = (Sample.filled(Array(parts[0])), Sample.filled(Array(parts[1])))
        #expect(outcome(query: query, content: content) == attack.expectation)
    }

    @Test("a logo that could do more than draw is refused", arguments: AttackFile.attacks(.svg))
    func svg(attack: Attack) {
        let start = Array("<svg xmlns=\"http://www.w3.org/2000/svg\">".utf8)
        #expect(verdict(on: start + attack.bytes + Array("</svg>".utf8)) == attack.expectation)
    }

    @Test("a file that is no plain SVG is refused", arguments: AttackFile.attacks(.svgfile))
    func svgFile(attack: Attack) {
        #expect(verdict(on: attack.bytes) == attack.expectation)
    }

    private func verdict(on file: [UInt8]) -> String { (try? Logo(file)) == nil ? "refused" : "drawn" }

    /// The name of the error's case, or "accepted".
    private func outcome(query: [UInt8], content: [UInt8]?) -> String {
        do throws(AuthorizationResponseError) {
            _ = try AuthorizationResponse.parse(query: query, content: content)
            return "accepted"
        } catch {
            return name(of: error)
        }
    }

    private func name(of error: AuthorizationResponseError) -> String {
        switch error {
        case .malformed: "malformed"
        case .duplicateParameter: "duplicateParameter"
        case .missingState: "missingState"
        case .neitherCodeNorError: "neitherCodeNorError"
        case .bothCodeAndError: "bothCodeAndError"
        case .tooLarge: "tooLarge"
        case .notSigned: "notSigned"
        case .unreadableJWT: "unreadableJWT"
        case .wrongRedirectURI, .wrongState, .missingIssuer, .wrongIssuer, .missingClaim, .wrongAudience, .expired,
            .notYetValid, .inside, .signature:
            "\(error)"
        }
    }
}
