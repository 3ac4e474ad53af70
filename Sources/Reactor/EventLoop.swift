internal import Glibc
internal import SwitchyardCLinux
internal import Synchronization

/// One thread with its own epoll set, timers and connections; an executor for the tasks that belong to it.
///
/// A task started with ``EventLoop/start(_:)`` runs on this thread from its first line to its last, so a connection's
/// code needs neither locks nor thread hops.
///
/// Why `@unchecked Sendable`: its mutable state is touched on the loop's own thread only (`requireOwnThread`), except
/// `inbox`, which has a mutex.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// Numbered from 0 within its group.
    public let index: Int

    private let epoll: Int32
    private let wakeUp: Int32
    private let inbox = Mutex(Inbox())
    /// 0 until the loop runs. Atomic, because other threads compare themselves with it.
    private let thread = Atomic<pthread_t>(0)

    private var ready: [UnownedJob] = []
    private var running: [UnownedJob] = []
    private var watchers = WatcherTable()
    private var timers = TimerQueue()
    private var nextSweep = Instant.never

    /// When the present round of the loop began. For deadlines this is exact enough, and it costs no call. Only on the
    /// loop's thread.
    public private(set) var now = Instant.now()

    /// Read buffers that no connection needs right now. Only on the loop's thread.
    public let buffers = BufferPool()
    private var events = [sy_ready](repeating: sy_ready(), count: 256)

    /// Work that other threads have posted.
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var bodies: [@Sendable () -> Void] = []
        var isAsleep = false
        var isStopping = false
    }

    /// How often the deadlines of watchers are looked at. They are limits of seconds, so this is fine enough, and
    /// moving a deadline costs one store instead of a place in a timer queue.
    private static let sweepInterval = Duration.milliseconds(250)

    public init(index: Int = 0) throws(SystemError) {
        self.index = index
        epoll = try check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        wakeUp = try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        try check("epoll_ctl") { sy_epoll_control(epoll, EPOLL_CTL_ADD, wakeUp, EPOLLIN.rawValue, UInt64.max) }
    }

    deinit {
        close(wakeUp)
        close(epoll)
    }

    // MARK: Tasks

    /// Starts a task that runs on this loop. Callable from any thread.
    @discardableResult
    public func start(_ body: sending @escaping @isolated(any) () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self, operation: body)
    }

    /// Runs `body` on this loop, and returns its result on the caller's loop. Callable from any thread; canceling the
    /// caller cancels it.
    public func perform<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // A task of its own: a caller that only preferred this loop for a while (`withTaskExecutorPreference`) would not
        // come back to the loop that it was on.
        let task = Task(executorPreference: self) { () async -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isOwnThread {
            ready.append(job)
        } else {
            post { inbox in inbox.jobs.append(job) }
        }
    }

    /// Runs `body` on the loop's thread, soon. Callable from any thread.
    public func execute(_ body: @escaping @Sendable () -> Void) {
        post { inbox in inbox.bodies.append(body) }
    }

    /// Ends ``run()`` after the present round. Callable from any thread.
    public func stop() {
        post { inbox in inbox.isStopping = true }
    }

    private func post(_ change: (inout Inbox) -> Void) {
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            defer { inbox.isAsleep = false }
            return inbox.isAsleep
        }
        if mustWake { eventfd_write(wakeUp, 1) }
    }

    var isOwnThread: Bool { pthread_self() == thread.load(ordering: .relaxed) }

    func requireOwnThread() {
        precondition(isOwnThread, "only on the loop's own thread")
    }

    // MARK: The loop

    /// Runs until ``stop()``. The calling thread becomes the loop's thread.
    public func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        CurrentLoop.set(self)
        now = .now()
        defer { CurrentLoop.set(nil) }
        while true {
            runReadyJobs()
            guard takeInbox() else { return }
            while let timer = timers.popDue(now) { timer.fire() }
            sweepDeadlines(now)
            if ready.isEmpty { waitForEvents(now) } else { poll(timeout: 0) }
        }
    }

    private func runReadyJobs() {
        // Jobs made ready in between wait for the next round, so a busy task cannot starve the sockets.
        swap(&ready, &running)
        for job in running { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        running.removeAll(keepingCapacity: true)
    }

    /// Takes the jobs of other threads. Returns false when the loop must stop.
    private func takeInbox() -> Bool {
        let (jobs, bodies, isStopping) = inbox.withLock { inbox in
            defer {
                inbox.jobs.removeAll(keepingCapacity: false)
                inbox.bodies.removeAll(keepingCapacity: false)
            }
            return (inbox.jobs, inbox.bodies, inbox.isStopping)
        }
        ready.append(contentsOf: jobs)
        for body in bodies { body() }
        return !isStopping
    }

    private func waitForEvents(_ now: Instant) {
        let mayWait = inbox.withLock { inbox in
            inbox.isAsleep = inbox.jobs.isEmpty && inbox.bodies.isEmpty && !inbox.isStopping
            return inbox.isAsleep
        }
        poll(timeout: mayWait ? timeout(from: now) : 0)
        if mayWait { inbox.withLock { inbox in inbox.isAsleep = false } }
    }

    /// The milliseconds until the next timer or sweep, rounded up; −1 without either.
    private func timeout(from now: Instant) -> Int32 {
        let next = min(timers.next, nextSweep)
        guard next != .never else { return -1 }
        guard next > now else { return 0 }
        return Int32(clamping: (next.nanoseconds - now.nanoseconds + 999_999) / 1_000_000)
    }

    private func poll(timeout: Int32) {
        let count = unsafe sy_epoll_wait(epoll, &events, Int32(events.count), timeout)
        now = .now()
        for index in 0..<max(0, Int(count)) {
            let event = events[index]
            if event.token == UInt64.max {
                var value: UInt64 = 0
                unsafe eventfd_read(wakeUp, &value)
            } else {
                watchers[event.token]?.isReady(Readiness(rawValue: event.events))
            }
        }
    }

    private func sweepDeadlines(_ now: Instant) {
        guard now >= nextSweep else { return }
        for watcher in watchers.all where watcher.deadline <= now { watcher.deadlineHasPassed() }
        nextSweep = watchers.isEmpty ? .never : now + Self.sweepInterval
    }

    // MARK: Watchers and timers

    /// Tells `watcher` when `fd` is ready. Only on the loop's thread.
    /// - Parameter events: edge-triggered when it contains ``Readiness/edge``.
    public func watch(_ fd: Int32, _ watcher: any Watcher, for events: Readiness) throws(SystemError) -> WatchToken {
        requireOwnThread()
        let token = watchers.insert(watcher)
        do {
            try check("epoll_ctl") { sy_epoll_control(epoll, EPOLL_CTL_ADD, fd, events.rawValue, token) }
        } catch {
            watchers.remove(token)
            throw error
        }
        if nextSweep == .never { nextSweep = Instant.now() + Self.sweepInterval }
        return WatchToken(value: token)
    }

    /// Watches for other events from now on. Only on the loop's thread.
    public func change(_ token: WatchToken, _ fd: Int32, to events: Readiness) throws(SystemError) {
        requireOwnThread()
        try check("epoll_ctl") { sy_epoll_control(epoll, EPOLL_CTL_MOD, fd, events.rawValue, token.value) }
    }

    /// Ends the watch. Call it before the descriptor is closed; a descriptor that is closed already does no harm.
    public func unwatch(_ token: WatchToken, _ fd: Int32) {
        requireOwnThread()
        watchers.remove(token.value)
        _ = sy_epoll_control(epoll, EPOLL_CTL_DEL, fd, 0, 0)
    }

    /// Ends the watch of a descriptor that is closed next; closing is what takes it out of the epoll set.
    func forget(_ token: WatchToken) {
        requireOwnThread()
        watchers.remove(token.value)
    }

    /// Calls `action` on the loop's thread once `instant` has come. Only on the loop's thread.
    public func schedule(at instant: Instant, _ action: @escaping () -> Void) -> Timer {
        requireOwnThread()
        return timers.add(at: instant, action)
    }

    /// Returns at `instant`, on the loop that the task runs on. Only from a task of a loop.
    public static func sleep(until instant: Instant) async {
        guard let loop = EventLoop.current else { preconditionFailure("only from a task of an event loop") }
        await suspend { (waiter: Waiter<Void>) in
            _ = loop.schedule(at: instant) { waiter.resume(returning: ()) }
        }
    }

    /// The loop of the current thread; nil on other threads.
    public static var current: EventLoop? { CurrentLoop.get() }
}

/// The loop of each thread, in a thread-specific slot of the C library.
private enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    static func set(_ loop: EventLoop?) {
        // Unretained: the loop's own `run` holds it for as long as the slot is set.
        unsafe pthread_setspecific(key, loop.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }

    static func get() -> EventLoop? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }
}
