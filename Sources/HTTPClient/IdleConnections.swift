internal import Glibc
internal import SwitchyardCCurl

/// The sockets that libcurl has open, and which of them are idle. Belongs to the thread of its client, and lives until
/// libcurl has closed the last one.
///
/// A server that sends bytes on an idle connection has ended it, or sends an answer without a question. The next
/// request would take those bytes for its own answer (RFC 9112 section 9.2), and one sign-in would get the tokens of
/// another. libcurl checks whether a connection is still there, and takes a readable one for alive.
final class IdleConnections {
    /// Every socket that is open, and whether it is idle.
    private var sockets: [Int32: Bool] = [:]

    /// Called by libcurl with each socket that it makes, before it connects.
    func opened(_ descriptor: Int32) { sockets[descriptor] = false }

    /// Says whether a transfer waits for something on a descriptor. Those that libcurl has for itself are not known here.
    func note(_ descriptor: Int32, isIdle: Bool) {
        if sockets[descriptor] != nil { sockets[descriptor] = isIdle }
    }

    /// Called by libcurl instead of closing a socket.
    func close(_ descriptor: Int32) -> Int32 {
        sockets[descriptor] = nil
        return Glibc.close(descriptor)
    }

    /// Ends each idle connection on which the server has spoken, so that libcurl finds it gone and takes another.
    func endThoseThatSpoke() {
        var events = sockets.compactMap { $1 ? pollfd(fd: $0, events: Int16(POLLIN), revents: 0) : nil }
        guard !events.isEmpty, unsafe poll(&events, nfds_t(events.count), 0) > 0 else { return }
        for event in events where event.revents != 0 {
            shutdown(event.fd, Int32(SHUT_RDWR))
            discard(event.fd)
        }
    }

    /// Discards the received bytes: while there are any, libcurl believes that the connection lives.
    private func discard(_ descriptor: Int32) {
        // The bound is more than a socket's buffer holds, and the end comes last.
        for _ in 0..<1024 {
            var bytes: [4096 of UInt8] = .init(repeating: 0)
            var span = bytes.mutableSpan
            let count = unsafe span.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            guard count > 0 else { return }
        }
    }
}

// MARK: libcurl's callbacks

private func connections(_ context: UnsafeMutableRawPointer?) -> IdleConnections? {
    unsafe context.map { unsafe Unmanaged<IdleConnections>.fromOpaque($0).takeUnretainedValue() }
}

/// For `CURLOPT_SOCKOPTFUNCTION`.
func connectionIsOpened(
    _ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t, _: curlsocktype
) -> Int32 {
    unsafe connections(context)?.opened(descriptor)
    return Int32(CURL_SOCKOPT_OK)
}

/// For `CURLOPT_CLOSESOCKETFUNCTION`.
func connectionIsClosed(_ context: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
    unsafe connections(context)?.close(descriptor) ?? Glibc.close(descriptor)
}
