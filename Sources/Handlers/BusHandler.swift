internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDBus
internal import SwitchyardReactor
internal import SwitchyardRouting

/// An app on the session bus: `org.freedesktop.Application.Open` (Desktop Entry specification, "D-Bus activation").
extension Handlers {
    func deliver(_ delivery: Delivery, toBusName name: BusName) async -> DeliveryResult {
        do throws(BusError) {
            let bus = try openBus()
            if try await !bus.hasOwner(name.text) {
                try await bus.start(name.text, within: delivery.time(atMost: Self.startLimit))
            }
            // The call goes to the very process that was looked at: a name can change hands meanwhile.
            let owner = try await bus.owner(of: name.text)
            guard try await bus.user(of: owner) == geteuid() else { return .notTrusted }
            let open = BusMethod(
                owner, name.objectPath, "org.freedesktop.Application", "Open", startsProgram: false, isSensitive: true)
            let arguments: [BusValue] = [
                .strings([delivery.url.exposedText]), .options(Self.platformData(of: delivery)),
            ]
            _ = try await bus.call(open, arguments, within: delivery.time(atMost: Self.answerLimit))
            return .ok
        } catch {
            return Self.result(of: error)
        }
    }

    /// Both names of the token: that of Wayland, and that of X11.
    static func platformData(of delivery: Delivery) -> [String: BusValue] {
        guard let token = delivery.activationToken else { return [:] }
        return ["activation-token": .string(token), "desktop-startup-id": .string(token)]
    }

    private func openBus() throws(BusError) -> BusConnection {
        if let bus, bus.isOpen { return bus }
        guard let address = BusConnection.sessionAddress else { throw .unreachable("there is no session bus") }
        let opened = try BusConnection(to: address, on: loop)
        bus = opened
        return opened
    }

    private static func result(of error: BusError) -> DeliveryResult {
        switch error {
        case .unreachable, .malformed: .unreachable
        case .disconnected, .unreadable: .failed
        case .timedOut: .timedOut
        case .refused: error.isNobodyThere || error.isFailedStart ? .unreachable : .refused
        }
    }
}
