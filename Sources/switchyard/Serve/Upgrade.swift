internal import SwitchyardGateway
internal import SwitchyardLifecycle
internal import SwitchyardReactor

/// Has the program that now stands in this one's place on the disk take over, with the sockets and then the store. Until it
/// serves, this one can go on. Belongs to the main thread's loop.
struct Upgrade {
    let gateway: Gateway
    /// As this process was begun.
    let arguments: [String]
    let loop: EventLoop

    /// For reading the configuration, and for reading the requests.
    private static let patience = Duration.seconds(60)

    /// - Returns: who serves from now on, and waits for a word; nil when this one goes on, which was told.
    func run() async -> Successor? {
        if let obstacle = gateway.obstacleToHandover {
            gateway.tell(upgradeRefused: obstacle)
            return nil
        }
        let successor: Successor
        do throws(SystemError) {
            successor = try Successor(arguments.first ?? "switchyard", arguments, sockets: gateway.sockets, on: loop)
        } catch {
            gateway.tell(upgradeRefused: "\(error)")
            return nil
        }
        gateway.tell(upgradeBegun: successor.process)
        if let reason = await successor.waitUntilPrepared(within: Self.patience) {
            successor.end()
            gateway.tell(upgradeRefused: reason)
            return nil
        }
        await gateway.handOver()
        successor.go()
        if let reason = await successor.waitUntilReady(within: Self.patience) {
            successor.end()
            gateway.tell(upgradeRefused: reason)
            do throws(GatewayError) {
                try await gateway.takeBack()
            } catch {
                gateway.tell(upgradeRefused: "\(error)")
            }
            return nil
        }
        return successor
    }
}
