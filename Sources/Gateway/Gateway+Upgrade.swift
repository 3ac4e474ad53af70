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

    /// Where the requests are that another process is to go on with.
    public var storePlace: String { policies.configuration.store.place }

    /// What it listens on, to be given to another process.
    public var sockets: [ListeningSocket] { server.sockets }

    /// Writes to the log that another process has been started to take over.
    /// - Parameter process: its ID.
    public func tell(upgradeBegun process: Int32) { events.tell(.gateway(.upgradeBegun(process: process))) }
    /// Writes to the log why no other process takes over.
    /// - Parameter reason: for operators.
    public func tell(upgradeRefused reason: String) { events.tell(.gateway(.upgradeRefused(reason: reason))) }

    /// Gives up what only one gateway can have. Who connects from now on waits in front of the sockets, for the other
    /// gateway or until ``takeBack()``; who waits for a result is told to come again; codes that are being redeemed are
    /// redeemed first. A store that gateways share takes none of this.
    /// - Returns: why the other gateway cannot have the store; nil when it can. In any case ``takeBack()`` is how to go on.
    public func giveWay() async -> String? {
        guard let exclusiveStore else { return nil }
        core.beginStopping()
        await server.pauseListening(lastChance: Self.lastChance)
        await server.waitUntilEmpty(.now() + Self.drainLimit)
        // What still comes on an open connection cannot be begun here any more, but what has begun comes to its end:
        // each loop goes round once more, so that whoever was given a request has said so.
        exclusiveStore.beginClosing()
        while !exclusiveStore.isQuiet { await EventLoop.sleep(until: .now() + .milliseconds(2)) }
        for loop in group.loops { await loop.start {}.value }
        let limits = policies.configuration.limits
        await waitForWork(until: .now() + limits.issuerTimeout * 2 + .seconds(5))
        await keepHistory()
        return await closeStore(within: policies.configuration.stopTimeout)?.description
    }

    /// How long others wait in front of the sockets for connections that do nothing.
    private static let drainLimit = Duration.seconds(1)

    /// Goes on, after all. Where somebody else has the store by now, or its disk stands still, it is asked for again and again:
    /// until then it is out, and says so.
    public func takeBack() {
        // Nothing was given up.
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
            // Of a disk that stands still was told.
            if exclusiveStore.obstacle == nil { tell(upgradeRefused: "\(error)") }
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
        events.tell(.gateway(.upgraded(process: process)))
        for socket in server.sockets { socket.leaveFile() }
        await stop(grace: grace)
    }
}
