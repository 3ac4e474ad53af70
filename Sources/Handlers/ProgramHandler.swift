internal import Glibc
internal import SwitchyardReactor
internal import SwitchyardRouting

/// A program that is started for the callback and fetches it by a ticket: neither its arguments nor its environment hold a code.
extension Handlers {
    func deliver(_ delivery: Delivery, toProgram arguments: [String]) async -> DeliveryResult {
        let signal = Signal()
        guard let program = arguments.first else { return .unreachable }
        guard let ticket = tickets.issue(delivery, taken: signal) else { return .busy }
        let process: DetachedProcess
        do throws(SystemError) {
            process = try DetachedProcess.begin(
                program, arguments.map { Self.filled($0, with: ticket) }, environment(for: delivery), on: loop)
        } catch {
            _ = tickets.end(ticket)
            tickets.giveUpPlace(of: ticket)
            return .unreachable
        }
        // One that has left its work to another, which runs already, is done as well.
        process.success.whenFulfilled { if !$0 { signal.raise() } }
        _ = await signal.wait(until: min(delivery.end, .now() + Self.startLimit))
        // From here on the ticket is invalid, so the next handler is the only receiver.
        if tickets.end(ticket) {
            process.letGo()
            return .ok
        }
        let result: DeliveryResult = process.success.current == false ? .failed : .timedOut
        // A program counts until it has ended. Otherwise callers could have any number of programs run.
        loop.start { [tickets] in
            await process.terminate()
            tickets.giveUpPlace(of: ticket)
        }
        return result
    }

    static func filled(_ argument: String, with ticket: String) -> String {
        argument.replacing(DeliveryHandler.ticketPlace, with: ticket)
    }

    /// The environment that a program of the desktop needs. This process's own environment may hold secrets of a
    /// configuration.
    private func environment(for delivery: Delivery) -> [String] {
        var variables = ProgramEnvironment.passed(ChildProcess.ownEnvironment)
        if let gateway { variables.append("SWITCHYARD_GATEWAY=\(gateway)") }
        if let token = delivery.activationToken {
            variables += ["XDG_ACTIVATION_TOKEN=\(token)", "DESKTOP_STARTUP_ID=\(token)"]
        }
        return variables
    }
}

enum ProgramEnvironment {
    private static let names: Set<Substring> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "DISPLAY", "XAUTHORITY",
        "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION",
    ]
    private static let prefixes = ["LC_", "XDG_"]

    /// The variables that a program gets.
    static func passed(_ variables: [String]) -> [String] {
        variables.filter { variable in
            let name = variable.prefix { $0 != "=" }
            // One token is for one start.
            guard name != "XDG_ACTIVATION_TOKEN" else { return false }
            return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
        }
    }
}
