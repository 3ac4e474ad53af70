internal import SwitchyardConfiguration
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// Which preset fits an issuer that was configured without one.
struct IssuerPreset {
    let issuer: IssuerConfiguration
    /// Its metadata; empty where there are none.
    let json: JSONObject

    /// nil for an issuer with a preset, or of a provider that is not known.
    private var preset: Preset? {
        guard issuer.preset == nil else { return nil }
        let addresses = [issuer.issuer] + ["authorization_endpoint", "token_endpoint"].compactMap { json[$0]?.string }
        // The longest sign says most: `/protocol/openid-connect/` more than a host that anything may have.
        let fits = Presets.all.compactMap { preset -> (preset: Preset, length: Int)? in
            let found = preset.signs.filter { sign in addresses.contains { Self.has($0, sign) } }
            return found.map(\.count).max().map { (preset, $0) }
        }
        return fits.max { $0.length < $1.length }?.preset
    }

    /// Whether an address has the sign: a path anywhere in it, or a host at its end or in front of a path.
    private static func has(_ address: String, _ sign: String) -> Bool {
        guard !sign.hasPrefix("/") else { return address.contains(sign) || address.hasSuffix(String(sign.dropLast())) }
        let rest = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).dropFirst(2).joined()
        let host = rest.prefix { $0 != "/" && $0 != ":" }
        if sign.contains("/") { return rest.hasPrefix(sign) || rest.contains(".\(sign)") }
        return host == sign || host.hasSuffix(".\(sign)") || sign.hasSuffix(".") && host.hasPrefix(sign)
    }

    var findings: [Finding] {
        guard let preset else { return [] }
        let missing = preset.reasons.filter { !issuer.accepts($0.deviation) }
        guard !missing.isEmpty else {
            return [
                .ok(
                    .issuers, issuer.name,
                    "it looks like \(preset.title): try preset \(preset.name) (`switchyard issuers \(preset.name)`)")
            ]
        }
        return [
            .warning(
                .issuers, issuer.name,
                "it looks like \(preset.title), which breaks a rule that this configuration keeps: "
                    + missing.map(\.deviation).joined(separator: ", "),
                why: missing.map(\.reason).joined(separator: " "),
                do: "try preset \(preset.name): `switchyard issuers \(preset.name)` tells what it sets and why")
        ]
    }
}
