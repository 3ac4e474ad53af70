internal import SwitchyardCCurl
public import SwitchyardReactor

/// Sends requests to other servers from one event loop, over reused connections.
///
/// HTTP/1.1 only. It does not follow redirects, and ignores `.netrc` and cookies. Each request says through which proxy it
/// goes; the environment's proxies count only if its route was made of them. The content of a POST leaves at most once:
/// libcurl by itself would send it again if a reused connection turns out dead.
///
/// The number of simultaneous connection attempts to one server is limited; a request waits for its turn for at most
/// half of its time.
///
/// Why `@unchecked Sendable`: it is used and released on the thread of its loop only, which ``send(_:)`` requires.
@safe
public final class HTTPClient: @unchecked Sendable {
    /// A transfer, and the task that waits for it. Unchecked, and resumed exactly once, because ``complete(_:_:)`` takes it
    /// out of `underWay` first.
    @safe
    private struct Entry {
        let transfer: Transfer
        let task: UnsafeContinuation<Result<IncomingResponse, TransferError>, Never>
        /// Tells it from an earlier request of the same transfer.
        let number: Int
        /// While its turn has not come: when the request's time is over.
        var wait: (end: Instant, timer: Timer)?
    }

    private let loop: EventLoop
    private let multi: UnsafeMutableRawPointer?
    private var watchers: [Int32: SocketWatcher] = [:]
    private var timer: Timer?
    private let connections = IdleConnections()
    private var idle: [Transfer] = []
    private var underWay: [ObjectIdentifier: Entry] = [:]
    private var turns = ConnectTurns<Transfer>()
    /// Transfers with a turn that came while libcurl was at work. libcurl must not be called from within itself.
    private var due: [Transfer] = []
    private var isStarting = false
    private var lastNumber = 0

    /// How many transfers, with their buffers and TLS sessions, are kept for the next requests.
    private static let maximumIdle = 64

    /// libcurl's set-up for the process.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

    /// - Parameter loop: the loop that runs the tasks which will send.
    public init(loop: EventLoop) {
        self.loop = loop
        unsafe multi = Self.isReady ? unsafe curl_multi_init() : nil
        guard let multi = unsafe multi else { return }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sy_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        unsafe sy_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        unsafe sy_multi_set_socket(multi, socketHasChanged)
        unsafe sy_multi_set_timer(multi, timerHasChanged)
        unsafe sy_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    }

    deinit {
        // No transfer is running, because each of them holds this object; libcurl may still close kept connections.
        timer?.cancel()
        guard let multi = unsafe multi else { return }
        unsafe sy_multi_set_socket(multi, nil)
        unsafe sy_multi_set_timer(multi, nil)
        unsafe curl_multi_cleanup(multi)
    }

    /// Sends the request and waits for the whole answer, which may have any status. Only from a task of the client's
    /// loop.
    /// - Throws: ``TransferError`` when there is no whole answer; it says whether the request may have been received.
    public func send(_ request: OutgoingRequest) async throws(TransferError) -> IncomingResponse {
        try await run(request) { $0.prepare(request) }
    }

    /// Sends the request and passes on the content of its answer as it comes, without an end if need be. Only from a
    /// task of the client's loop.
    /// - Parameters:
    ///   - silence: the longest time without a byte; in whole seconds, at least one. The request's own time is for the
    ///     connection.
    ///   - stop: ends it in the middle, once it is fulfilled.
    ///   - mustWait: asked on the loop's thread before each piece. If true, no more of the answer is read until ``goOn()``.
    ///   - whenBegun: called on the loop's thread with the header of the answer, before its content.
    ///   - take: called on the loop's thread with each piece, if the status is 200; false ends it.
    /// - Returns: the answer, once it has ended or `take` has ended it. Its body is empty if it was passed on.
    /// - Throws: ``TransferError`` if it ends in the middle.
    public func stream(
        _ request: OutgoingRequest, silence: Duration, until stop: Promise<Void>? = nil,
        mustWait: (() -> Bool)? = nil, whenBegun: ((IncomingResponse) -> Void)? = nil,
        _ take: @escaping ([UInt8]) -> Bool
    ) async throws(TransferError) -> IncomingResponse {
        try await run(request, until: stop) {
            $0.prepare(request, silence: silence, mustWait: mustWait, whenBegun: whenBegun, consumer: take)
        }
    }

    /// Reads on where a reader had to wait. Only on the loop's thread.
    public func goOn() {
        for entry in Array(underWay.values) { entry.transfer.goOn() }
        act(on: CURL_SOCKET_TIMEOUT, 0)
    }

    private func run(
        _ request: OutgoingRequest, until stop: Promise<Void>? = nil, _ prepare: (Transfer) -> Void
    ) async throws(TransferError) -> IncomingResponse {
        precondition(EventLoop.current === loop, "only on the client's own loop")
        if let flaw = request.flaw { throw TransferError(kind: .invalidRequest, wasSent: false, message: flaw) }
        if let error = request.forbiddenHost { throw error }
        guard let transfer = idle.popLast() ?? Transfer(of: self, connections) else {
            throw TransferError(code: CURLE_OUT_OF_MEMORY, words: "", wasSent: false)
        }
        prepare(transfer)
        lastNumber += 1
        let number = lastNumber
        stop?.whenFulfilled { [weak self, loop] in
            // In a round of its own: libcurl may be at work.
            loop.execute { [weak self] in self?.abandon(number) }
        }
        let result = await unsafe withUnsafeContinuation { task in
            unsafe begin(Entry(transfer: transfer, task: task, number: number), within: request.timeout)
        }
        // One that ended in a pause would begin the next request with it.
        if idle.count < Self.maximumIdle, !transfer.isPaused { idle.append(transfer) }
        return try result.get()
    }

    private func begin(_ entry: Entry, within time: Duration) {
        let transfer = entry.transfer
        underWay[ObjectIdentifier(transfer)] = entry
        guard turns.take(transfer, to: transfer.server) else { return wait(transfer, within: time) }
        start(transfer)
    }

    /// Ends a request in the middle.
    private func abandon(_ number: Int) {
        guard let entry = underWay.values.first(where: { $0.number == number }) else { return }
        let transfer = entry.transfer
        if let wait = entry.wait, !transfer.isConnecting {
            wait.timer.cancel()
            turns.leave(transfer, to: transfer.server)
        }
        if let multi = unsafe multi { unsafe curl_multi_remove_handle(multi, transfer.easy) }
        endTurn(of: transfer)
        complete(transfer, transfer.result(CURLE_ABORTED_BY_CALLBACK))
        startDue()
    }

    /// Waits for a turn for half of the request's time at most. The rest must be enough for an attempt; otherwise, at a
    /// silent server, all waiting requests would try at their last moment.
    private func wait(_ transfer: Transfer, within time: Duration) {
        let now = Instant.now()
        let timer = loop.schedule(at: now + time / 2) { [weak self] in
            self?.turns.leave(transfer, to: transfer.server)
            let words =
                "others wait to be connected to \(transfer.server) as well, and the turn of this one did not come"
            let error = TransferError(code: CURLE_OPERATION_TIMEDOUT, words: words, wasSent: false)
            self?.complete(transfer, .failure(error))
        }
        underWay[ObjectIdentifier(transfer)]?.wait = (now + time, timer)
    }

    /// Its turn has come.
    private func start(_ transfer: Transfer) {
        if let wait = underWay[ObjectIdentifier(transfer)]?.wait {
            wait.timer.cancel()
            transfer.shorten(to: wait.end - Instant.now())
        }
        transfer.isConnecting = true
        guard let multi = unsafe multi, unsafe curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            let error = TransferError(code: CURLE_FAILED_INIT, words: "", wasSent: false)
            endTurn(of: transfer)
            complete(transfer, .failure(error))
            return startDue()
        }
        connections.endThoseThatSpoke()
        // At once, instead of in the loop's next round, as the timer would have it.
        act(on: CURL_SOCKET_TIMEOUT, 0)
    }

    private func startDue() {
        // Each that starts may let another one start: one after the other, not one within the other.
        guard !isStarting else { return }
        isStarting = true
        while !due.isEmpty { start(due.removeFirst()) }
        isStarting = false
    }

    /// It has its connection, or is over. Also called by libcurl.
    func endTurn(of transfer: Transfer) {
        guard transfer.isConnecting else { return }
        transfer.isConnecting = false
        if let next = turns.end(to: transfer.server) { due.append(next) }
    }

    private func complete(_ transfer: Transfer, _ result: Result<IncomingResponse, TransferError>) {
        let entry = underWay.removeValue(forKey: ObjectIdentifier(transfer))
        transfer.end()
        unsafe entry?.task.resume(returning: result)
    }

    // MARK: libcurl's events

    private func act(on descriptor: Int32, _ events: Int32) {
        guard let multi = unsafe multi else { return }
        var count: Int32 = 0
        unsafe curl_multi_socket_action(multi, descriptor, events, &count)
        while let message = unsafe curl_multi_info_read(multi, &count) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            // Read now: the message does not outlive the handle's part in the multi handle.
            let code = unsafe message.pointee.data.result
            unsafe finish(easy, code)
        }
        startDue()
    }

    private func finish(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        var context: UnsafeMutableRawPointer?
        unsafe sy_easy_get_pointer(easy, CURLINFO_PRIVATE, &context)
        guard let context = unsafe context, let multi = unsafe multi else { return }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        unsafe curl_multi_remove_handle(multi, easy)
        endTurn(of: transfer)
        complete(transfer, transfer.result(code))
    }

    fileprivate func watch(_ descriptor: Int32, _ what: Int32) {
        connections.note(descriptor, isIdle: what == CURL_POLL_REMOVE)
        if what == CURL_POLL_REMOVE {
            watchers.removeValue(forKey: descriptor)?.end()
            return
        }
        let watcher =
            watchers[descriptor]
            ?? SocketWatcher(descriptor, on: loop) { [weak self] descriptor, events in
                self?.act(on: descriptor, events)
            }
        watchers[descriptor] = watcher
        var events: Readiness = []
        if what & CURL_POLL_IN != 0 { events.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { events.insert(.writable) }
        watcher.watch(for: events)
    }

    fileprivate func setTimer(milliseconds: Int) {
        timer?.cancel()
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(at: Instant.now() + .milliseconds(milliseconds)) { [weak self, loop] in
            // Not from within the loop's timer queue: libcurl sets its next timer there.
            loop.execute { [weak self] in self?.act(on: CURL_SOCKET_TIMEOUT, 0) }
        }
    }
}

private func client(_ context: UnsafeMutableRawPointer?) -> HTTPClient? {
    unsafe context.map { unsafe Unmanaged<HTTPClient>.fromOpaque($0).takeUnretainedValue() }
}

private func socketHasChanged(
    _: UnsafeMutableRawPointer, _ descriptor: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe client(context)?.watch(descriptor, what)
    return 0
}

private func timerHasChanged(
    _: UnsafeMutableRawPointer, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe client(context)?.setTimer(milliseconds: milliseconds)
    return 0
}
