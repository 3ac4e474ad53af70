internal import SwitchyardDBus
internal import SwitchyardReactor
internal import SwitchyardTokenStorage

/// The parts of the session bus that sign-ins use: the keyring, notifications, and Microsoft's broker.
struct SessionBusCheck {
    var findings: [Finding] {
        guard let address = BusConnection.sessionAddress else { return [noBus("there is none")] }
        do {
            return try runToEnd { () async throws -> [Finding] in
                let bus = try BusConnection(to: address, on: .required)
                defer { bus.close() }
                return [await Self.keyring(bus), await Self.notifications(bus)] + (await Self.broker(bus))
            }
        } catch {
            return [noBus("it cannot be asked at \(address): \(error)")]
        }
    }

    private func noBus(_ what: String) -> Finding {
        .warning(
            .desktop, "session bus", what,
            why: "there is no keyring for tokens, and nobody to tell the person what went wrong",
            do: "log in to a desktop, or run this below dbus-run-session")
    }

    private static func keyring(_ bus: BusConnection) async -> Finding {
        let name = DesktopKeyring.name
        let advice = "start gnome-keyring or KWallet with the session; tokens are in an encrypted file meanwhile"
        do throws(BusError) {
            guard try await DesktopKeyring.isOffered(on: bus) else {
                return .warning(
                    .desktop, "keyring", "there is none", why: "tokens are kept in a file instead", do: advice)
            }
            guard KeyringStorage.isInstalled else {
                return .warning(
                    .desktop, "keyring", "there is one, but libsecret is missing",
                    why: "tokens are kept in a file instead",
                    do: "\(KeyringStorage.installation), and start the agent again")
            }
            let values = try await bus.call(
                BusMethod(name, "/org/freedesktop/secrets/aliases/default", "org.freedesktop.DBus.Properties", "Get"),
                [.string("org.freedesktop.Secret.Collection"), .string("Locked")])
            guard values.first != .variant(.boolean(true)) else {
                return .warning(
                    .desktop, "keyring", "it is locked", why: "nobody gets a token from it before somebody unlocks it",
                    do: "unlock it; one with the password of the login is unlocked by that")
            }
            return .ok(.desktop, "keyring", "it is there and unlocked")
        } catch BusError.timedOut {
            return .warning(
                .desktop, "keyring", "it does not answer: \(BusError.timedOut)",
                why: "no program gets a token before it does", do: "see whether it waits for somebody, or end it")
        } catch {
            return .warning(
                .desktop, "keyring", "it does not answer: \(error)", why: "tokens are kept in a file instead",
                do: advice)
        }
    }

    private static func notifications(_ bus: BusConnection) async -> Finding {
        let name = "org.freedesktop.Notifications"
        let why = "a person whose callback goes nowhere is not told"
        do throws(BusError) {
            let isThere = try await bus.hasOwner(name)
            guard isThere ? true : try await bus.canStart(name) else {
                return .warning(
                    .desktop, "notifications", "no program shows them", why: why,
                    do: "run a notification daemon, such as dunst")
            }
            return .ok(.desktop, "notifications", "they are shown")
        } catch {
            return .warning(
                .desktop, "notifications", "whether a program shows them, the session bus does not say: \(error)",
                why: why, do: "look at the bus itself: busctl --user list")
        }
    }

    private static func broker(_ bus: BusConnection) async -> [Finding] {
        let name = "com.microsoft.identity.broker1"
        let isThere = try? await bus.hasOwner(name)
        let canStart = try? await bus.canStart(name)
        guard isThere == true || canStart == true else { return [] }
        return [
            .ok(
                .desktop, "Microsoft's broker",
                "\(name) is on this bus: apps that use it sign in beside us, and neither sees the other's tokens")
        ]
    }
}
