internal import SwitchyardCCurl
internal import SwitchyardReactor

/// The loop's watch of one of libcurl's sockets. Belongs to the loop's thread.
final class SocketWatcher: Watcher {
    private let descriptor: Int32
    private let loop: EventLoop
    private let action: (_ descriptor: Int32, _ events: Int32) -> Void
    private var token: WatchToken?

    init(_ descriptor: Int32, on loop: EventLoop, action: @escaping (Int32, Int32) -> Void) {
        self.descriptor = descriptor
        self.loop = loop
        self.action = action
    }

    /// Watches for these events from now on, level-triggered as libcurl expects it.
    func watch(for events: Readiness) {
        do {
            if let token {
                try loop.change(token, descriptor, to: events)
            } else {
                token = try loop.watch(descriptor, self, for: events)
            }
        } catch {
            // Out of kernel memory for watches: the transfer then ends by its timeout, which needs no descriptor.
            end()
        }
    }

    func end() {
        guard let token else { return }
        loop.unwatch(token, descriptor)
        self.token = nil
    }

    func isReady(_ events: Readiness) {
        var selected: Int32 = 0
        if !events.isDisjoint(with: [.readable, .hungUp]) { selected |= CURL_CSELECT_IN }
        if events.contains(.writable) { selected |= CURL_CSELECT_OUT }
        if events.contains(.failed) { selected |= CURL_CSELECT_ERR }
        action(descriptor, selected)
    }
}
