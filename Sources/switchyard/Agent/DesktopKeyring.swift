internal import SwitchyardDBus
internal import SwitchyardReactor
internal import SwitchyardTokenStorage

/// The Secret Service of the desktop, as the session bus shows it.
enum DesktopKeyring {
    static let name = "org.freedesktop.secrets"

    /// Whether it runs, or a call would start it.
    static func isOffered(on bus: BusConnection) async throws(BusError) -> Bool {
        if try await bus.hasOwner(name) { return true }
        return try await bus.canStart(name)
    }

    /// Whether the session has one that this process cannot use, because libsecret is missing. Only from a loop.
    static func lacksLibrary() async -> Bool {
        guard let address = BusConnection.sessionAddress, let bus = try? BusConnection(to: address, on: .required)
        else { return false }
        defer { bus.close() }
        guard let isOffered = try? await isOffered(on: bus), isOffered else { return false }
        return !KeyringStorage.isInstalled
    }
}
