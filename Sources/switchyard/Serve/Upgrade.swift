internal import Glibc
internal import SwitchyardGateway
internal import SwitchyardLifecycle
internal import SwitchyardReactor

/// Has the program that is now on the disk take over, with the sockets and then the store. Until it serves, this
/// process can continue. Belongs to the main thread's loop.
struct Upgrade {
    let gateway: Gateway
    /// The arguments of this process.
    let arguments: [String]
    let loop: EventLoop

    /// For reading the configuration, and for reading the requests.
    private static let stepLimit = Duration.seconds(60)

    /// - Returns: the successor that serves from now on; nil if this process continues, which was logged.
    func run() async -> Successor? {
        if let obstacle = gateway.obstacleToUpgrade {
            gateway.report(upgradeRefused: obstacle)
            return nil
        }
        let successor: Successor
        do throws(SystemError) {
            successor = try Successor(
                arguments.first ?? "switchyard", arguments, sockets: gateway.sockets, place: gateway.storePlace,
                on: loop)
        } catch {
            gateway.report(upgradeRefused: "\(error)")
            return nil
        }
        gateway.report(upgradeBegun: successor.process)
        if let reason = await successor.waitUntilPrepared(within: Self.stepLimit) {
            successor.kill()
            gateway.report(upgradeRefused: reason)
            return nil
        }
        if let reason = await gateway.giveWay() {
            goOn(without: successor, reason)
            return nil
        }
        successor.go()
        if let reason = await successor.waitUntilReady(within: Self.stepLimit) {
            goOn(without: successor, reason)
            return nil
        }
        // This comes before the word that lets the successor notify the service manager: the manager accepts
        // notifications only from the main process.
        ServiceManager.tell(.mainProcess(successor.process))
        successor.go()
        if let reason = await successor.waitUntilTaken(within: Self.stepLimit) {
            ServiceManager.tell(.mainProcess(getpid()))
            goOn(without: successor, reason)
            return nil
        }
        successor.letGo()
        return successor
    }

    private func goOn(without successor: Successor, _ reason: String) {
        successor.kill()
        gateway.report(upgradeRefused: reason)
        gateway.resume()
    }
}
