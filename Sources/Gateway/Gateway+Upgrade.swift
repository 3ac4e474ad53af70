internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
public import SwitchyardReactor

/// Giving way to another process that listens on the same sockets, and going on after all.
extension Gateway {
    /// Why another process cannot take this gateway's place; nil when it can.
    public var obstacleToUpgrade: String? {
        policies.configuration.store.outlivesProcess
            ? nil : "requests are in memory (store: memory) and would be lost; stop the gateway and start it again"
    }

    /// The place of the requests that another process is to continue.
    public var storePlace: String { policies.configuration.store.place }

    /// The listening sockets, for another process.
    public var sockets: [ListeningSocket] { server.sockets }

    /// Writes to the log that another process has been started to take over.
    /// - Parameter process: its ID.
    public func report(upgradeBegun process: Int32) { events.report(.gateway(.upgradeBegun(process: process))) }
    /// Writes to the log why no other process takes over.
    /// - Parameter reason: for operators.
    public func report(upgradeRefused reason: String) { events.report(.gateway(.upgradeRefused(reason: reason))) }

    /// Gives up all that only one gateway can have. New connections wait in front of the sockets, for the other gateway
    /// or until ``resume()``. Waiting apps get the answer to come again. Codes that are being redeemed are redeemed
    /// first. A store that gateways share needs no such step.
    /// - Returns: the reason why the other gateway cannot have the store; nil when it can. In both cases ``resume()``
    ///   makes this gateway continue.
    public func giveWay() async -> String? {
        guard let exclusiveStore else { return nil }
        core.beginStopping()
        await server.pauseListening(lastChance: Self.lastChance)
        await server.waitUntilEmpty(.now() + Self.drainLimit)
        // Requests on open connections can no longer begin work here, and work that has begun comes to its end. Each
        // loop goes round once more, so that all requests already given out are counted.
        exclusiveStore.beginClosing()
        while !exclusiveStore.isQuiet { await EventLoop.sleep(until: .now() + .milliseconds(2)) }
        for loop in group.loops { await loop.start {}.value }
        let limits = policies.configuration.limits
        await waitForWork(until: .now() + limits.issuerTimeout * 2 + .seconds(5))
        await keepHistory()
        return await closeStore(within: policies.configuration.stopTimeout)?.description
    }

    /// The time that new connections wait in front of the sockets for idle ones.
    private static let drainLimit = Duration.seconds(1)

    /// Continues after ``giveWay()``. If another process has the store by now, or its disk stands still, the gateway
    /// retries again and again. Until then the store is out, and says so.
    public func resume() {
        // A shared store was not given up.
        guard let exclusiveStore else { return }
        core.goOn()
        defer {
            startAging()
            startTimelines()
            server.resumeListening()
        }
        do throws(GatewayError) {
            try exclusiveStore.reopen(by: policies)
        } catch {
            // A disk that stands still was reported already.
            if exclusiveStore.obstacle == nil { report(upgradeRefused: "\(error)") }
            askAgain(for: exclusiveStore)
        }
    }

    private func askAgain(for exclusiveStore: ExclusiveStore) {
        group.loops.first?.start { [core, policies] in
            let life = core.life
            while true {
                await EventLoop.sleep(until: .now() + .seconds(1))
                guard !core.isStopping, core.life == life else { return }
                do throws(GatewayError) {
                    return try exclusiveStore.reopen(by: policies)
                } catch {
                    // Somebody has it still, or its disk; the registry tells that it is out.
                }
            }
        }
    }

    /// Ends in favor of another process that serves by now.
    public func endFor(_ process: Int32, grace: Duration) async {
        events.report(.gateway(.upgraded(process: process)))
        for socket in server.sockets { socket.leaveFile() }
        await stop(grace: grace)
    }
}
