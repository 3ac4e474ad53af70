/// What the bus itself knows of names, and of who has them. Only from a task of the connection's loop.
extension BusConnection {
    /// Whether somebody has the name now. Nothing is started.
    public func hasOwner(_ name: String) async throws(BusError) -> Bool {
        guard case .boolean(let isOwned)? = try await call(.ofBus("NameHasOwner"), [.string(name)]).first else {
            throw .unreadable
        }
        return isOwned
    }

    /// Whether the bus would start a program for the name.
    public func canStart(_ name: String) async throws(BusError) -> Bool {
        guard let names = try await call(.ofBus("ListActivatableNames")).first?.texts else { throw .unreadable }
        return names.contains(name)
    }

    /// Starts the program that the name belongs to; nothing is done where it runs.
    /// - Parameter limit: until the program has taken the name.
    public func start(_ name: String, within limit: Duration) async throws(BusError) {
        _ = try await call(.ofBus("StartServiceByName"), [.string(name), .uint32(0)], within: limit)
    }

    /// Who has the name: the connection's own name, such as `:1.42`, which nobody else ever gets.
    public func owner(of name: String) async throws(BusError) -> String {
        guard let owner = try await call(.ofBus("GetNameOwner"), [.string(name)]).first?.text else {
            throw .unreadable
        }
        return owner
    }

    /// The user that the process behind a name ran as when it connected, as the kernel told the bus.
    public func user(of name: String) async throws(BusError) -> UInt32 {
        guard case .uint32(let user)? = try await call(.ofBus("GetConnectionUnixUser"), [.string(name)]).first else {
            throw .unreadable
        }
        return user
    }
}
