internal import SwitchyardCCurl
public import SwitchyardReactor

/// Sends requests to other servers from one event loop, over kept connections.
///
/// HTTP/1.1 only. Redirects are not followed, the environment's proxies, `.netrc` and cookies not used. The content of
/// a POST leaves at most once: libcurl by itself would send it again when a kept connection turns out dead.
///
/// Why `@unchecked Sendable`: it is used and released on the thread of its loop only, which ``send(_:)`` requires.
@safe
public final class HTTPClient: @unchecked Sendable {
    /// A transfer in libcurl's hands, and the task that waits for it. Unchecked, and resumed exactly once, because
    /// ``finish(_:_:)`` takes it out of `running` first.
    @safe
    private struct Running {
        let transfer: Transfer
        let task: UnsafeContinuation<Result<IncomingResponse, TransferError>, Never>
    }

    private let loop: EventLoop
    private let multi: UnsafeMutableRawPointer?
    private var watchers: [Int32: SocketWatcher] = [:]
    private var timer: Timer?
    private let connections = IdleConnections()
    private var idle: [Transfer] = []
    private var running: [ObjectIdentifier: Running] = [:]

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

    /// Sends the request and waits for the whole answer, whatever its status. Only from a task of the client's loop.
    /// - Throws: ``TransferError`` when there is no whole answer; it says whether the request may have been received.
    public func send(_ request: OutgoingRequest) async throws(TransferError) -> IncomingResponse {
        try await run(request) { $0.prepare(request) }
    }

    /// Sends the request, and gives away the content of its answer as it comes, which may go on for ever. Only from a
    /// task of the client's loop.
    /// - Parameters:
    ///   - silence: how long nothing may come; in whole seconds, at least one. The request's own time is
    ///     for the connection.
    ///   - take: called on the loop's thread with each piece, if the status is 200; false ends it.
    /// - Returns: the answer, when it has ended or enough of it was taken. Its body is empty where it was given away.
    /// - Throws: ``TransferError`` when it ends in the middle.
    public func stream(
        _ request: OutgoingRequest, silence: Duration, _ take: @escaping ([UInt8]) -> Bool
    ) async throws(TransferError) -> IncomingResponse {
        try await run(request) { $0.prepare(request, silence: silence, consumer: take) }
    }

    private func run(
        _ request: OutgoingRequest, _ prepare: (Transfer) -> Void
    ) async throws(TransferError) -> IncomingResponse {
        precondition(EventLoop.current === loop, "only on the client's own loop")
        if let flaw = request.flaw { throw TransferError(kind: .invalidRequest, wasSent: false, message: flaw) }
        guard let transfer = idle.popLast() ?? Transfer(connections) else {
            throw TransferError(code: CURLE_OUT_OF_MEMORY, words: "", wasSent: false)
        }
        prepare(transfer)
        let result = await unsafe withUnsafeContinuation { task in
            unsafe begin(Running(transfer: transfer, task: task))
        }
        if idle.count < Self.maximumIdle { idle.append(transfer) }
        return try result.get()
    }

    private func begin(_ entry: Running) {
        guard let multi = unsafe multi, unsafe curl_multi_add_handle(multi, entry.transfer.easy) == CURLM_OK else {
            let error = TransferError(code: CURLE_FAILED_INIT, words: "", wasSent: false)
            return unsafe entry.task.resume(returning: .failure(error))
        }
        running[ObjectIdentifier(entry.transfer)] = entry
        connections.endThoseThatSpoke()
        // At once, instead of in the loop's next round, as the timer would have it.
        act(on: CURL_SOCKET_TIMEOUT, 0)
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
    }

    private func finish(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        var context: UnsafeMutableRawPointer?
        unsafe sy_easy_get_pointer(easy, CURLINFO_PRIVATE, &context)
        guard let context = unsafe context, let multi = unsafe multi else { return }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        unsafe curl_multi_remove_handle(multi, easy)
        let entry = running.removeValue(forKey: ObjectIdentifier(transfer))
        unsafe entry?.task.resume(returning: transfer.result(code))
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
