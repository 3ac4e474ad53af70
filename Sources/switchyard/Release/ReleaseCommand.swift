internal import SwitchyardDesktop
internal import SwitchyardHTTPClient
internal import SwitchyardReactor

/// `switchyard release`: gives the code that a browser shows to the process that waits for it.
struct ReleaseCommand: Command {
    static let name = "release"
    static let summary = "give the code that the browser shows to the program that waits for it"
    static let options: [Option] = [
        .value("reference", "R", "which sign-in, where several wait: the reference on the page")
    ]
    static let operands = Operands.one("CODE")
    static let help = Help(
        """
        Gives the code that the page in the browser shows to this user's own process that waits for it: \
        `switchyard browse --gateway`, `switchyard login` or `switchyard mcp`. Where several wait, it names them and tries \
        none, until --reference says which.
        """,
        exits: [
            .done: "the sign-in goes on", .failed: "the code is wrong, or no process waits, or several do",
            .usage: "wrong usage",
        ],
        examples: ["switchyard release KXTB-RWQM", "switchyard release KXTB-RWQM --reference 7KX2M0Q9ZT"])

    private let code: String
    private let reference: String?

    init(_ options: Options) throws {
        // All users of this machine can see a process's arguments.
        OwnProcess.hideArguments(from: 2)
        code = (options.operand ?? "").filter { !$0.isWhitespace }
        guard !code.isEmpty else { throw UsageError(message: "CODE is empty: type the code that the browser shows") }
        reference = options["reference"]
    }

    func run() throws -> ExitStatus {
        try runToEnd { [self] in
            let client = HTTPClient(loop: .required)
            let entry = try choose(from: try await WaitingList(asking: client).entries)
            let answer = await give(to: entry, client)
            switch answer {
            case .released:
                Terminal.note("Released: sign-in \(entry.reference.quotable) goes on.")
                return .done
            case .wrong(attemptsLeft: 0):
                throw CommandError("that code is wrong, and the sign-in has ended with it", hint: "begin it again")
            case .wrong(let left):
                throw CommandError(
                    "that code is wrong; \(left) \(left == 1 ? "try" : "tries") left",
                    hint: "type the code of the page with the reference \(entry.reference.quotable)")
            case .notWaiting:
                throw CommandError(
                    "sign-in \(entry.reference.quotable) does not wait for a code",
                    hint: "finish it in the browser first; its page then shows the code")
            case .failed(let reason): throw CommandError(reason.quotable)
            }
        }
    }

    /// The only waiting sign-in, or the one with the reference.
    private func choose(from entries: [WaitingList.Entry]) throws(CommandError) -> WaitingList.Entry {
        let list = entries.map { entry in
            entry.title.isEmpty ? entry.reference.quotable : "\(entry.reference.quotable) (\(entry.title.quotable))"
        }.joined(separator: ", ")
        if let reference {
            // The page may show it with a hyphen or a space.
            let named = reference.uppercased().filter { $0 != "-" && $0 != " " }
            if let entry = entries.first(where: { $0.reference.uppercased() == named }) { return entry }
            throw CommandError(
                "no process of this user waits for the sign-in \"\(reference.quotable)\"",
                hint: entries.isEmpty ? "none waits for any" : "there is \(list)")
        }
        guard let entry = entries.first else {
            throw CommandError(
                "no process of this user waits for a sign-in",
                hint: "begin the sign-in again; as another user, run this as that one")
        }
        guard entries.count == 1 else {
            throw CommandError(
                "several sign-ins wait: \(list)",
                hint: "say which: switchyard release CODE --reference \(entry.reference.quotable)")
        }
        return entry
    }

    /// The page shows its code a moment before the process learns that the sign-in waits for one.
    private func give(to entry: WaitingList.Entry, _ client: HTTPClient) async -> ReleaseAnswer {
        var answer = await WaitingList.release(code, to: entry, with: client)
        for _ in 0..<6 where answer == .notWaiting {
            await EventLoop.sleep(until: .now() + .milliseconds(250))
            answer = await WaitingList.release(code, to: entry, with: client)
        }
        return answer
    }
}
