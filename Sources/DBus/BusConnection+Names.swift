/// The bus's knowledge of names and their owners. Only from a task of the connection's loop.
extension BusConnection {
    /// Whether the name has an owner now. Starts no program.
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

    /// Starts the program that the name belongs to, unless it runs.
    /// - Parameter limit: the time until the program has taken the name.
    public func start(_ name: String, within limit: Duration) async throws(BusError) {
        _ = try await call(.ofBus("StartServiceByName"), [.string(name), .uint32(0)], within: limit)
    }

    /// The owner of the name: the connection's own name, such as `:1.42`, which the bus never gives out again.
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
