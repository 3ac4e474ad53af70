internal import SwitchyardConfiguration
internal import SwitchyardJSON

/// A provider's page, for a terminal and for `docs/issuers`.
struct PresetPage {
    let preset: Preset

    /// The page in the book.
    var markdown: String {
        var parts = ["# \(preset.title)", preset.about]
        parts.append(
            "This page is printed by `switchyard issuers \(preset.name) --markdown`, from the data of the preset "
                + "`\(preset.name)`. \(preset.tried)")
        parts += ["## Register", preset.register, "**Redirect URIs.** \(preset.redirectURIs)"]
        parts += ["## Configure", "```yaml \(preset.name).yaml\n\(configuration)\n```"]
        if !preset.values.isEmpty { parts.append(asks) }
        parts += ["## What the preset sets", "```yaml\n\(Self.yaml(preset.settings))\n```"]
        if !preset.reasons.isEmpty {
            parts.append(
                "| deviation | why |\n|---|---|\n"
                    + preset.reasons.map { "| `\($0.deviation)` | \(Self.cell($0.reason)) |" }.joined(separator: "\n"))
        }
        parts.append("**Refresh tokens.** \(preset.refresh)")
        parts += ["## What works", works]
        if !preset.notes.isEmpty { parts += ["## Special", preset.notes] }
        if !preset.failures.isEmpty { parts += ["## When it fails", failures] }
        parts += ["## Sources", sources]
        return parts.joined(separator: "\n\n")
    }

    /// The same for a terminal: Markdown can be read as it is.
    var text: String {
        var parts = ["\(preset.title)\n\(preset.about)"]
        if !preset.values.isEmpty {
            parts.append(
                "It asks for\n"
                    + preset.values.map { value in
                        let rest = value.standard.map { "; default: \($0)" } ?? ""
                        return "  \(value.name): \(value.about), such as \(value.example)\(rest)"
                    }.joined(separator: "\n"))
        }
        parts.append("It sets\n\(Self.yaml(preset.settings, indent: "  "))")
        if !preset.reasons.isEmpty {
            parts.append(
                "Why it deviates\n" + preset.reasons.map { "  \($0.deviation): \($0.reason)" }.joined(separator: "\n"))
        }
        parts += [
            "Register\n\(preset.register)", "Redirect URIs\n  \(preset.redirectURIs)",
            "Refresh tokens\n  \(preset.refresh)",
        ]
        parts.append(
            "What works\n"
                + preset.works.map { "  \($0.feature.title.padded(to: 14)) \($0.answer.rawValue)" }.joined(
                    separator: "\n"))
        if !preset.notes.isEmpty { parts.append("Special\n\(preset.notes)") }
        parts.append("The smallest configuration\n\n\(smallestConfiguration)")
        parts.append(
            "Sources\n"
                + preset.sources.map { "  \($0.date)  \($0.url)\n              \($0.facts)" }.joined(separator: "\n"))
        parts.append(preset.tried)
        return parts.joined(separator: "\n\n")
    }

    private var asks: String {
        "| beside `preset` | is | such as | default |\n|---|---|---|---|\n"
            + preset.values.map { value in
                "| `\(value.name)` | \(Self.cell(value.about)) | `\(value.example)` | "
                    + "\(value.standard.map { "`\($0)`" } ?? "required") |"
            }.joined(separator: "\n")
    }

    private var works: String {
        "| \(preset.works.map(\.feature.title).joined(separator: " | ")) |\n|\(preset.works.map { _ in "---|" }.joined())\n"
            + "| \(preset.works.map(\.answer.rawValue).joined(separator: " | ")) |"
    }

    private var failures: String {
        "| | means | do |\n|---|---|---|\n"
            + preset.failures.map { failure in
                "| \([failure.sign, failure.cause, failure.remedy].map(Self.cell).joined(separator: " | ")) |"
            }.joined(separator: "\n")
    }

    private var sources: String {
        "| read | page | for |\n|---|---|---|\n"
            + preset.sources.map { "| \($0.date) | <\($0.url)> | \(Self.cell($0.facts)) |" }.joined(separator: "\n")
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|").replacing("\n", with: " ") }

    /// The configuration of the page: a longer one where the data have one.
    private var configuration: String {
        var text = preset.configuration ?? smallestConfiguration
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }

    /// A whole configuration with one app.
    var smallestConfiguration: String {
        let values = preset.values.filter { $0.standard == nil }.map { ", \($0.name): \(Self.scalar($0.example))" }
            .joined()
        let clientID = preset.app["client_id"]?.string ?? "11111111-2222-3333-4444-555555555555"
        var lines = [
            "public_url: https://login.contoso.com", "listen:", "  - address: 0.0.0.0:443",
            "    tls: { certificate: tls/server.pem, key: tls/server.key }", "    serve: [callbacks, api]", "issuers:",
            "  - { name: \(preset.name), preset: \(preset.name)\(values) }", "apps:", "  - id: com.contoso.app",
            "    name: Contoso App", "    issuer: \(preset.name)", "    client_id: \(Self.scalar(clientID))",
        ]
        if preset.client != .publicOnly {
            lines += ["    client_secret_file: secrets/\(preset.name)", "    begin_from: { networks: [10.20.0.0/16] }"]
        }
        lines.append("    redirect_uris: [\"https://login.contoso.com\(preset.redirectPath)\"]")
        for (name, value) in preset.app.members where name != "client_id" {
            lines.append("    \(name): \(Self.scalar(value.string ?? ""))")
        }
        return lines.joined(separator: "\n")
    }

    /// The keys as an operator would write them.
    private static func yaml(_ object: JSONObject, indent: String = "") -> String {
        object.members.map { name, value in
            if let object = value.object { return "\(indent)\(name):\n\(yaml(object, indent: indent + "  "))" }
            if let list = value.array {
                return "\(indent)\(name): [\(list.map { scalar($0.string ?? "") }.joined(separator: ", "))]"
            }
            return "\(indent)\(name): \(scalar(value.string ?? ""))"
        }.joined(separator: "\n")
    }

    /// In quotes where YAML would read the text otherwise.
    private static func scalar(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
                || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
                || " ._-/:{}@+".utf8.contains(byte)
        }
        let first = text.utf8.first.map { "{:-@ ".utf8.contains($0) } ?? true
        return isPlain && !first && !text.contains(": ") && !text.hasSuffix(":") ? text : "\"\(text)\""
    }
}
