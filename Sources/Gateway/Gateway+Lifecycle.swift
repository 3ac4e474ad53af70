internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// The gateway's work once a second.
extension Gateway {
    /// Writes events to the histories of sign-ins.
    func startTimelines() {
        everySecond { [core] in await core.timelines.flush() }
    }

    /// Lets time pass for requests.
    func startAging() {
        everySecond { [core, log, workers] in
            log?.tellSuppressed()
            core.time.followWallClock()
            await core.callbackPorts.age { await Gateway.isWaiting($0, in: core.registry) }
            // The registry reports failures.
            for (number, left) in ((try? await core.registry.age()) ?? []).enumerated() {
                let worker = workers[number % workers.count]
                worker.loop.start { await HandOver.goOn(with: left, on: worker) }
            }
        }
    }

    /// On the first loop, until the gateway stops.
    private func everySecond(_ work: @escaping @Sendable () async -> Void) {
        guard let loop = group.loops.first else { return }
        loop.start { [core] in
            let life = core.life
            while !core.isStopping, core.life == life {
                await EventLoop.sleep(until: Instant.now() + .seconds(1))
                // A store that was given away meanwhile is not asked.
                guard !core.isStopping else { return }
                await work()
            }
        }
    }
}

/// The sign-ins that an agent continues.
extension Gateway {
    /// Other gateways carry sign-ins for it, and an earlier process may have begun some.
    func resumeCarried() {
        guard core.agent != nil, let worker = workers.first else { return }
        worker.loop.start { [core] in await core.remotes.resume(on: worker) }
    }
}

/// The end of a gateway.
extension Gateway {
    /// Stops: no new connections, waiting apps get the answer to come again, running work finishes within `grace`. If
    /// the disk of the store stands still, the store ends only with the process; the log says so.
    public func stop(grace: Duration) async {
        events.report(.gateway(.stopping))
        let deadline = Instant.now() + grace
        core.beginStopping()
        await core.callbackPorts.stop()
        let cut = await server.stop(grace: grace)
        await waitForWork(until: deadline)
        await keepHistory()
        if let failure = await closeStore(within: deadline - .now()) {
            events.report(.gateway(.storeNotClosed(reason: failure.description)))
        }
        events.report(.gateway(.stopped(cut: cut + core.work.count)))
    }

    /// Why the store is out, once it was tried; nil when it works.
    public func tryStore() async -> String? {
        guard let first = group.loops.first else { return nil }
        return await first.perform { [core] in
            do throws(StoreError) {
                _ = try await core.registry.usage()
                return nil
            } catch {
                return error.description
            }
        }
    }

    // MARK: An idle gateway

    /// Whether there is no connection, no running work, and no request that would miss this process.
    public var isIdle: Bool {
        get async {
            let counts = await server.counts
            let isAlone = policies.configuration.listeners.indices.allSatisfy { counts.connections(of: $0) == 0 }
            guard isAlone, core.work.count == 0, core.agent?.isHoldingTokens != true, let usage = await usage else {
                return false
            }
            return usage.pending == 0 && (usage.requests == 0 || policies.configuration.store.outlivesProcess)
        }
    }

    /// Stops accepting, unless a client connects at that moment.
    /// - Returns: whether it has; then the gateway can stop without any client noticing.
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

    // MARK: Shared steps of stopping and giving way

    /// The time that a new connection has for its first request to a gateway that gives its place away. Once the store
    /// is gone, the answer is to come again.
    static let lastChance = Duration.seconds(5)
    /// The time a disk may take for the last writes. A slow disk needs some of its calls. Callers no longer wait for
    /// their outcome, but others wait for the end of the process, or in front of the sockets.
    private static let closingTime = (least: Duration.seconds(2), most: Duration.seconds(10))

    func closeStore(within patience: Duration) async -> StoreError? {
        let patience = min(max(patience, Self.closingTime.least), Self.closingTime.most)
        return await exclusiveStore?.close(until: .now() + patience)
    }

    /// The last second of it, as far as the store takes it.
    func keepHistory() async {
        guard let first = group.loops.first else { return }
        await first.perform { [core] in
            await core.registry.settleLateSteps()
            await core.timelines.flush()
        }
    }

    func waitForWork(until deadline: Instant) async {
        guard let first = group.loops.first else { return }
        await first.perform { [core] in await core.work.waitUntilIdle(deadline) }
    }
}
