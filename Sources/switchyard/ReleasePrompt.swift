internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import Synchronization

/// Waits for sign-ins, and asks the person at the terminal for the release code when the gateway wants one.
final class ReleasePrompt: Sendable {
    private struct State {
        /// The sign-in that the next line is for.
        var signIn: PendingSignIn?
        var isReading = false
    }

    private let state = Mutex(State())

    /// The outcome of a sign-in. One at a time, and only from a task of an event loop.
    /// - Parameter words: said once, after a while without an outcome.
    func outcome(of signIn: PendingSignIn, with client: HTTPClient, whileWaiting words: String? = nil) async throws
        -> JSONObject
    {
        let reminder = EventLoop.required.start {
            await EventLoop.sleep(until: Instant.now() + Self.reminderDelay)
            if let words, !Task.isCancelled { Terminal.note(words) }
        }
        defer { reminder.cancel() }
        var progress = try await signIn.wait(with: client, whenSetBack: Self.saySetback)
        reminder.cancel()
        if case .releaseRequired = progress {
            // If `switchyard release` cannot reach the sign-in, the terminal still can.
            let waiting = try? WaitingSignIn.announce(signIn, title: "a sign-in at this terminal", with: client)
            defer { waiting?.end() }
            ask(for: signIn, with: client)
            // Wait beside the question: the sign-in may also end at the browser, or by itself.
            progress = try await signIn.wait(seen: .releaseRequired, with: client, whenSetBack: Self.saySetback)
            state.withLock { $0.signIn = nil }
        }
        guard case .outcome(let outcome) = progress else {
            throw CommandError("the gateway asks for a code again, though it has one")
        }
        return outcome
    }

    /// Most people are through with the issuer's page by then, or see there why not.
    private static let reminderDelay = Duration.seconds(20)

    static func saySetback(_ failure: GatewayCallError) {
        Terminal.note("The gateway gives no answer; asking again … (\("\(failure)".printable))")
    }

    private func ask(for signIn: PendingSignIn, with client: HTTPClient) {
        Terminal.ask("Type the code that the browser shows: ")
        let isReading = state.withLock { state in
            state.signIn = signIn
            defer { state.isReading = true }
            return state.isReading
        }
        if !isReading { EventLoop.required.start { [self] in await readLines(client) } }
    }

    private func readLines(_ client: HTTPClient) async {
        let lines = LineReader()
        while let line = await lines.next() {
            guard let signIn = state.withLock({ $0.signIn }) else { continue }
            let code = line.filter { !$0.isWhitespace }
            if code.isEmpty {
                Terminal.ask("Type the code that the browser shows: ")
            } else {
                await give(code, to: signIn, client)
            }
        }
        guard let signIn = state.withLock({ $0.signIn }) else { return }
        Terminal.error("the code cannot be typed in: standard input has ended", hint: "run this in a terminal")
        // No program can finish it any more, so its wait ends here.
        _ = try? await signIn.end(with: client)
    }

    private func give(_ code: String, to signIn: PendingSignIn, _ client: HTTPClient) async {
        do {
            switch try await signIn.release(code: code, with: client) {
            case .released, .over: state.withLock { $0.signIn = nil }
            case .wrong(attemptsLeft: 0):
                state.withLock { $0.signIn = nil }
                Terminal.note("That code is wrong.")
            case .wrong(let left):
                Terminal.ask("That code is wrong; \(left) \(left == 1 ? "try" : "tries") left. Type the code: ")
            }
        } catch {
            Terminal.error("\(error)".printable, hint: nil)
            Terminal.ask("Type the code again: ")
        }
    }
}
