internal import SwitchyardGateway
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard explain`: the story of one sign-in, the cause of its failure and the remedy; or the meaning of a name.
struct ExplainCommand: Command {
    static let name = "explain"
    static let summary = "tell a sign-in's history by its reference, with cause and remedy, or what an error means"
    static let options: [Option] =
        [
            .flag("json", "print JSON, as the admin listener answers it"),
            .flag("list", "print every name that can be explained, with cause and remedy"),
            .flag("markdown", "with --list: as docs/reference/errors.md has it"),
        ] + AdminConnection.options
    static let operands = Operands.optional("REFERENCE|NAME")
    static let help = Help(
        """
        Tells what happened in one sign-in: each step with its time, and, when it failed, the one cause and the one remedy. The \
        reference is what the page in the browser showed; a callback that was refused has one too. Case, spaces and hyphens do \
        not count. Histories are kept for 24 hours, 10,000 at the most.
        """,
        """
        With a name it needs no gateway: the code of a failure, a reason in the log, a limit, an OAuth error, or the number of \
        an error of Microsoft Entra ID (`AADSTS50011`, or `50011`).
        """,
        exits: [
            .done: "it was found", .failed: "there is no such sign-in or name, or no gateway answers",
            .usage: "wrong usage, or the configuration does not say where the gateway is",
        ],
        examples: [
            "switchyard explain 7KX2M-0Q9ZT", "switchyard explain AADSTS50011",
            "switchyard explain 7KX2M0Q9ZT --json --admin http://127.0.0.1:9901",
        ])

    private enum Question {
        case list
        case names([Explanation])
        case signIn(reference: String)
        case nothing(String)
    }

    private let options: Options
    private let question: Question

    init(_ options: Options) throws {
        self.options = options
        switch (options.operand, options.has("list")) {
        case (nil, true): question = .list
        case (nil, false):
            throw UsageError(message: "name a reference, or an error; --list prints all that can be explained")
        case (_?, true): throw UsageError(message: "--list takes no reference")
        case (let text?, false):
            let names = Explanation.named(text)
            if !names.isEmpty {
                question = .names(names)
            } else if let reference = Explanation.reference(said: text) {
                question = .signIn(reference: reference)
            } else {
                question = .nothing(text)
            }
        }
        if options.has("markdown"), !options.has("list") { throw UsageError(message: "--markdown goes with --list") }
        if options.has("markdown"), options.has("json") {
            throw UsageError(message: "--markdown and --json exclude each other")
        }
    }

    func run() throws -> ExitStatus {
        switch question {
        case .list:
            if options.has("markdown") {
                Terminal.say(ExplanationList.markdown)
            } else {
                say(Explanation.all)
            }
        case .names(let names): say(names)
        case .signIn(let reference): try tell(reference)
        case .nothing(let text):
            throw CommandError(
                "\"\(text.printable)\" is neither a reference nor a name that is known",
                hint: "a reference has ten characters, such as 7KX2M0Q9ZT; `switchyard explain --list` has the names")
        }
        return .done
    }

    private func say(_ explanations: [Explanation]) {
        guard options.has("json") else { return Terminal.say(ExplanationList.text(explanations)) }
        Terminal.say(.array(explanations.map { .object($0.json) }))
    }

    private func tell(_ reference: String) throws {
        let gateway = try AdminConnection(options)
        let answer = try runToEnd {
            try await gateway.get("/v1/sign-ins/\(reference)", with: HTTPClient(loop: .required))
        }
        // Only a gateway repeats the reference in its 404; another server does not.
        if answer.status == 404, answer.body["reference"]?.string == reference {
            throw CommandError(
                "no sign-in with the reference \(reference) is known at \(gateway.name)",
                hint: "compare it with the page; histories are kept for 24 hours, the latest 10,000 of them, and with "
                    + "`store: memory` until the gateway ends")
        }
        guard answer.status == 200 else { throw gateway.refusal("tell the history of a sign-in", answer) }
        if options.has("json") {
            Terminal.say(.object(answer.body))
        } else {
            Terminal.say(SignInStory(answer.body).text)
        }
    }
}

/// A sign-in's history for people, from the answer of the admin listener.
struct SignInStory {
    private let body: JSONObject

    init(_ body: JSONObject) {
        self.body = body
    }

    var text: String {
        var lines = ["Sign-in \(word("reference")): \(word("status"))"]
        for (name, title) in [("app", "App"), ("issuer", "Issuer")] where !word(name).isEmpty {
            lines.append("\(title.padded(to: 9))\(word(name))")
        }
        let events = (body["events"]?.array ?? []).compactMap(\.object)
        if let first = events.first?["at"]?.string?.printable {
            lines.append("\("Began".padded(to: 9))\(first.prefix(10)) (times are UTC)")
        }
        lines.append("")
        lines += events.map(line)
        guard let cause = body["cause"]?.string?.printable else { return lines.joined(separator: "\n") }
        let names = [cause] + ["number", "oauth_error", "code"].map(word).filter { !$0.isEmpty && $0 != cause }
        lines += ["", "Cause", Self.wrapped("\(names.joined(separator: ", ")): \(word("explanation"))")]
        if !word("remedy").isEmpty { lines += ["Remedy", Self.wrapped(word("remedy"))] }
        return lines.joined(separator: "\n")
    }

    private func word(_ name: String) -> String { body[name]?.string?.printable ?? "" }

    private func line(_ event: JSONObject) -> String {
        let clock = event["at"]?.string?.printable.dropFirst(11).dropLast() ?? ""
        let after = Double(event["after_milliseconds"]?.integer ?? 0)
        var line = "  \(clock)  \(Self.span(after).leftPadded(to: 9))  "
        line += event["text"]?.string?.printable ?? event["event"]?.string?.printable ?? ""
        if let count = event["count"]?.integer, count > 1 {
            line += " (\(count) times, last at \(event["last"]?.string?.printable.dropFirst(11).dropLast() ?? ""))"
        }
        return line
    }

    private static func span(_ milliseconds: Double) -> String {
        let seconds = Int64(milliseconds / 1000)
        switch seconds {
        case ..<60: return "+\(seconds).\("\(Int64(milliseconds) % 1000)".zeroPadded(to: 3)) s"
        case ..<3600: return "+\(seconds / 60):\("\(seconds % 60)".zeroPadded(to: 2)) min"
        default: return "+\(seconds / 3600):\("\(seconds / 60 % 60)".zeroPadded(to: 2)) h"
        }
    }

    static func wrapped(_ text: String, indent: String = "  ", width: Int = 100) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent.count + line.count + word.count + 1 > width {
                lines.append(indent + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        if !line.isEmpty { lines.append(indent + line) }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
    fileprivate func zeroPadded(to width: Int) -> String { String(repeating: "0", count: max(0, width - count)) + self }
}
