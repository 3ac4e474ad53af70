internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
public import SwitchyardReactor
internal import Synchronization

/// What a gateway does once a second.
extension Gateway {
    /// What happened goes to the histories of sign-ins.
    func startTimelines() {
        everySecond { [core] in await core.timelines.flush() }
    }

    /// What time does to requests.
    func startAging() {
        everySecond { [core, log] in
            log?.tellSuppressed()
            core.time.followWallClock()
            // The registry tells of what fails.
            try? await core.registry.age()
        }
    }

    /// On the first loop, until the gateway stops.
    private func everySecond(_ work: @escaping @Sendable () async -> Void) {
        guard let loop = group.loops.first else { return }
        loop.start { [core] in
            let life = core.life
            while !core.isStopping, core.life == life {
                await EventLoop.sleep(until: Instant.now() + .seconds(1))
                // What was given away meanwhile is not asked for.
                guard !core.isStopping else { return }
                await work()
            }
        }
    }
}

/// What an agent goes on with.
extension Gateway {
    /// Other gateways carry sign-ins for it, and an earlier process may have begun some.
    func resumeCarried() {
        guard core.agent != nil, let worker = workers.first else { return }
        worker.loop.start { [core] in await core.remotes.resume(on: worker) }
    }
}

/// The end of a gateway: by itself, or in favor of another process that listens on its sockets.
extension Gateway {
    /// Stops: no new connections, who waits is told to come again, running work finishes within `grace`. A store whose disk
    /// stands still ends with the process, and only then; the log says so.
    public func stop(grace: Duration) async {
        events.tell(.gateway(.stopping))
        let deadline = Instant.now() + grace
        core.beginStopping()
        let cut = await server.stop(grace: grace)
        await waitForWork(until: deadline)
        await keepHistory()
        if let failure = await closeStore(within: deadline - .now()) {
            events.tell(.gateway(.storeNotClosed(reason: failure.description)))
        }
        events.tell(.gateway(.stopped(cut: cut + core.work.count)))
    }

    /// Why the store is out, once it was tried; nil when it works.
    public func tryStore() async -> String? {
        guard let first = group.loops.first else { return nil }
        return await first.perform { [core] in
            do throws(StoreFailure) {
                _ = try await core.registry.usage()
                return nil
            } catch {
                return error.description
            }
        }
    }

    // MARK: Having nothing to do

    /// Whether nobody is connected, nothing is being done, and no request would miss this process.
    public var isIdle: Bool {
        get async {
            let counts = await server.counts
            let isAlone = policies.configuration.listeners.indices.allSatisfy { counts.connections(of: $0) == 0 }
            guard isAlone, core.work.count == 0, core.agent?.isHoldingTokens != true, let usage = await usage else {
                return false
            }
            return usage.pending == 0 && (usage.kept == 0 || policies.configuration.store.outlivesProcess)
        }
    }

    /// Stops to accept, unless somebody comes at just that moment.
    /// - Returns: whether it has; then the gateway can be stopped, and nobody will have noticed.
    public func closeIfIdle() async -> Bool {
        await server.pauseListening(lastChance: Self.lastChance)
        if await isIdle { return true }
        server.resumeListening()
        return false
    }

    /// nil when the store is out.
    private var usage: StoreUsage? {
        get async {
            guard let first = group.loops.first else { return nil }
            return await first.perform { [core] in try? await core.registry.usage() }
        }
    }

    // MARK: Giving way

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

    /// How long a disk may take for the last of it. A slow one needs some of its calls; but nobody waits for their outcome any
    /// more, while others wait for the end of the process, or in front of the sockets.
    private static let closingTime = (least: Duration.seconds(2), most: Duration.seconds(10))

    private func closeStore(within patience: Duration) async -> StoreFailure? {
        let patience = min(max(patience, Self.closingTime.least), Self.closingTime.most)
        return await exclusiveStore?.close(until: .now() + patience)
    }

    /// How long a connection that has just come may take to send its first request to a gateway that gives its place
    /// away. Once the store is gone it is told to come again.
    private static let lastChance = Duration.seconds(5)
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

    /// The last second of it, as far as the store takes it.
    private func keepHistory() async {
        guard let first = group.loops.first else { return }
        await first.perform { [core] in
            await core.registry.settleLateSteps()
            await core.timelines.flush()
        }
    }

    private func waitForWork(until deadline: Instant) async {
        guard let first = group.loops.first else { return }
        await first.perform { [core] in await core.work.waitUntilIdle(deadline) }
    }
}
