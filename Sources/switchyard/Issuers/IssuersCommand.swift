internal import SwitchyardConfiguration
internal import SwitchyardJSON

/// `switchyard issuers`: the presets, and everything that is known of one provider.
struct IssuersCommand: Command {
    static let name = "issuers"
    static let summary = "list the providers that are known by name, or tell all that is known of one"
    static let options: [Option] = [
        .flag("json", "for programs"),
        .flag("markdown", "as docs/issuers has it"),
    ]
    static let operands = Operands.optional("NAME", words: Presets.names)
    static let help = Help(
        """
        A preset holds what a provider needs beside the protocol's defaults: its addresses, its deviations from the protocol \
        and the parameters that it wants. `issuers: - { name: work, preset: entra, tenant: contoso.onmicrosoft.com }` uses \
        one; a key beside it wins over the preset.
        """,
        """
        With a name it prints which values the preset asks for, what it sets and why, from which public page each fact is and \
        of which day, where to register, which redirect URIs are taken, how an app gets refresh tokens, what works, and the \
        smallest configuration. It needs no gateway and no network.
        """,
        exits: [.done: "it was printed", .usage: "wrong usage, or there is no preset of this name"],
        examples: ["switchyard issuers", "switchyard issuers entra", "switchyard issuers github --json"])

    private let preset: Preset?
    private let isJSON: Bool
    private let isMarkdown: Bool

    init(_ options: Options) throws {
        isJSON = options.has("json")
        isMarkdown = options.has("markdown")
        if isJSON, isMarkdown { throw UsageError(message: "--markdown and --json exclude each other") }
        guard let name = options.operand else {
            preset = nil
            return
        }
        guard let found = Presets.named(name) else {
            let nearest = Spelling.nearest(to: name, among: Presets.names)
            throw UsageError(
                message: "there is no preset \"\(name.printable)\""
                    + (nearest.map { "; did you mean \($0)?" } ?? "; `switchyard issuers` lists them"))
        }
        preset = found
    }

    func run() throws -> ExitStatus {
        switch (preset, isJSON, isMarkdown) {
        case (let preset?, true, _): Terminal.say(.object(preset.json))
        case (let preset?, _, true): Terminal.say(PresetPage(preset: preset).markdown)
        case (let preset?, _, _): Terminal.say(PresetPage(preset: preset).text)
        case (nil, true, _): Terminal.say(.array(Presets.all.map { .object($0.json) }))
        case (nil, _, true): Terminal.say(PresetTable.markdown)
        case (nil, _, _): Terminal.say(PresetTable.text)
        }
        return .done
    }
}
