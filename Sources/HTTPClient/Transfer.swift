internal import SwitchyardCCurl
internal import SwitchyardCrypto
internal import SwitchyardFiles
internal import SwitchyardRouting
internal import SwitchyardText

/// One easy handle of libcurl, reused for one request after the other, with the data that it sends and receives.
///
/// Belongs to the thread of its client. The handle's callbacks hold an unretained pointer to this object: the client
/// keeps it for as long as the handle takes part in a multi handle.
@safe
final class Transfer {
    let easy: UnsafeMutableRawPointer
    private unowned let client: HTTPClient
    /// The server of the request: scheme, host and port, or the path of a Unix socket.
    private(set) var server = ""
    /// Whether it is under way, and has no connection yet.
    var isConnecting = false
    private let words: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// The content of the request, where libcurl reads it. It must not move until the transfer is over.
    private var content = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Whether it must not be sent again.
    private var countsOnce = false
    private var answer = ArrivingAnswer(maximumBytes: 0)
    /// Gets the content of a success piece by piece instead; false when it wants no more.
    private var consumer: (([UInt8]) -> Bool)?
    /// Whether the consumer cannot take a piece now.
    private var mustWait: (() -> Bool)?
    /// Whether libcurl keeps a piece, and reads no more, until ``goOn()``.
    private(set) var isPaused = false
    /// Called once with the header, before the content.
    private var whenBegun: ((IncomingResponse) -> Void)?
    private var hasEnough = false
    /// The proxy of the present request.
    private var proxy: OutgoingProxy?
    private var hasTwoAuthorities = false
    /// The last address that was refused to the present request, if any.
    private var forbidden: (address: String, use: SpecialUse)?
    /// How much had been sent, to the proxy alone, when the tunnel stood: libcurl counts it with the request. nil until then.
    private var sentToProxy: Int?
    /// The request, without its body, that the handle's options stand for.
    private var options: (request: OutgoingRequest, silence: Duration?)?

    /// - Parameters:
    ///   - client: hears when there is a connection.
    ///   - connections: lives for as long as the multi handle that this one will be part of.
    /// - Returns: nil when libcurl has no memory.
    init?(of client: HTTPClient, _ connections: IdleConnections) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        self.client = client
        unsafe self.easy = unsafe easy
        unsafe words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setConstantOptions()
        let context = unsafe Unmanaged.passUnretained(connections).toOpaque()
        unsafe sy_easy_set_sockets(easy, context, connectionIsOpened, connectionIsClosed)
    }

    deinit {
        giveContentBack()
        unsafe curl_easy_cleanup(easy)
        freeHeaders()
        unsafe words.deallocate()
    }

    // MARK: Before

    /// Sets the options that all requests share. ``prepare(_:silence:consumer:)`` sets the others.
    private func setConstantOptions() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_PRIVATE, CURLOPT_PREREQDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
            unsafe sy_easy_set_pointer(easy, option, context)
        }
        unsafe sy_easy_set_prerequest(easy, allowSending)
        unsafe sy_easy_set_open(easy, context, openSocket)
        unsafe sy_easy_set_transfer(easy, CURLOPT_WRITEFUNCTION, takeBody)
        unsafe sy_easy_set_transfer(easy, CURLOPT_HEADERFUNCTION, takeHeader)
        unsafe sy_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        set(CURLOPT_NOSIGNAL, 1)
        // A resolver that hangs is left behind with its thread: waiting for it would stop the loop.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_NETRC, 0)
        // Empty, so that libcurl does not read the environment. The request's route decides.
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_PROXY_CAPATH, Self.systemAuthorities)
        // A proxy's answer to CONNECT is not the server's, and a proxy gets none of the request's own fields.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        // Without one, OpenSSL would ask for it on the terminal and wait, and the loop with it.
        set(CURLOPT_KEYPASSWD, "")
        // Firewalls of some providers refuse requests without one. A header field of a request counts before it.
        set(CURLOPT_USERAGENT, SwitchyardVersion.userAgent)
        // No compression is asked for. If an answer is compressed all the same, libcurl unpacks it before
        // `take(body:)`, which counts the unpacked bytes.
        set(CURLOPT_ACCEPT_ENCODING, "identity")
        // HTTP/2 re-sends requests by rules of its own.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_CAPATH, Self.systemAuthorities)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_TCP_KEEPIDLE, 30)
        set(CURLOPT_TCP_KEEPINTVL, 10)
        set(CURLOPT_MAXAGE_CONN, 60)
    }

    private static let systemAuthorities = "/etc/ssl/certs"
    private static let largestPEM = 1 << 20

    /// - Parameters:
    ///   - silence: the longest time without a byte, for an answer without an end; nil for one that is due as a whole
    ///     in the request's time.
    ///   - mustWait: asked before each piece for the consumer.
    ///   - whenBegun: gets the header, without content.
    ///   - consumer: gets the content of a success.
    func prepare(
        _ request: OutgoingRequest, silence: Duration? = nil, mustWait: (() -> Bool)? = nil,
        whenBegun: ((IncomingResponse) -> Void)? = nil, consumer: (([UInt8]) -> Bool)? = nil
    ) {
        self.consumer = consumer
        self.mustWait = mustWait
        isPaused = false
        self.whenBegun = whenBegun
        hasEnough = false
        forbidden = nil
        // HTTP itself lets a GET and a DELETE be repeated (RFC 9110 section 9.2.2).
        countsOnce = ![.get, .delete].contains(request.method) || request.isSentOnce
        answer = ArrivingAnswer(maximumBytes: request.maximumBytes)
        unsafe words.pointee = 0
        // Most requests differ from the one before only in their content.
        sentToProxy = nil
        if hasTwoAuthorities || options.map({ request.isLike($0.request) && silence == $0.silence }) != true {
            setOptions(request, silence)
            options = (request, silence)
            options?.request.body = nil
        }
        if [.post, .put, .patch].contains(request.method) { setContent(request.body ?? []) }
    }

    /// Some of the request's time is over before it goes out.
    func shorten(to time: Duration) {
        if options?.silence == nil { set(CURLOPT_TIMEOUT_MS, max(1, milliseconds(time))) }
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds(time)))
        // The next request has all of its time.
        options = nil
    }

    private func setOptions(_ request: OutgoingRequest, _ silence: Duration?) {
        server = request.unixSocket ?? Self.server(in: request.url)
        set(CURLOPT_URL, request.url)
        set(CURLOPT_PROTOCOLS_STR, request.allowsPlainHTTP ? "http,https" : "https")
        set(CURLOPT_TIMEOUT_MS, silence == nil ? max(1, milliseconds(request.timeout)) : 0)
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, milliseconds(request.timeout)))
        set(CURLOPT_LOW_SPEED_LIMIT, silence == nil ? 0 : 1)
        set(CURLOPT_LOW_SPEED_TIME, Int(max(1, silence?.components.seconds ?? 1)))
        // From libcurl 8.4.0 on, this limit ends an answer in the middle, also one without an end.
        set(CURLOPT_MAXFILESIZE, silence == nil ? max(1, request.maximumBytes) : 0)
        // A peer that has vanished is found after two minutes, where nothing else would find it.
        set(CURLOPT_TCP_KEEPALIVE, silence == nil ? 0 : 1)
        setRoute(request)
        set(CURLOPT_SSLCERT, request.certificate?.certificateChain)
        set(CURLOPT_SSLKEY, request.certificate?.privateKey)
        // libcurl compares the content of the certificate before it uses a connection or a session again.
        set(CURLOPT_SSLCERT_BLOB, request.clientCertificate?.chain ?? [])
        set(CURLOPT_SSLKEY_BLOB, request.clientCertificate?.privateKey.exposedBytes ?? [])
        set(CURLOPT_UNIX_SOCKET_PATH, request.unixSocket)
        set(CURLOPT_CERTINFO, request.wantsCertificates ? 1 : 0)
        switch request.method {
        case .get, .delete: set(CURLOPT_HTTPGET, 1)
        case .post, .put, .patch: set(CURLOPT_POST, 1)
        }
        set(CURLOPT_CUSTOMREQUEST, [.get, .post].contains(request.method) ? nil : request.method.rawValue)
        setHeaders(request.headers)
    }

    private func setRoute(_ request: OutgoingRequest) {
        proxy = request.proxy
        // An empty name switches off the proxies that the environment names.
        set(CURLOPT_PROXY, proxy?.address ?? "")
        set(CURLOPT_PROXYUSERNAME, proxy?.user)
        set(CURLOPT_PROXYPASSWORD, proxy?.password?.exposedText)
        set(CURLOPT_PROXY_CAINFO, proxy?.authorities)
        let files = [request.trustAnchor, proxy?.authorities].compactMap(\.self)
        set(CURLOPT_CAINFO, files.count == 1 ? files[0] : nil)
        // libcurl takes one file. Two are read here, each time, since libcurl reads the one anew for each connection, too.
        hasTwoAuthorities = files.count == 2
        let both =
            hasTwoAuthorities
            ? files.flatMap { (SmallFile.bytes($0, maximum: Self.largestPEM) ?? []) + [UInt8(ascii: "\n")] } : []
        set(CURLOPT_CAINFO_BLOB, both)
    }

    private static func server(in url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// Gives libcurl the content whole, which then leaves together with the header.
    private func setContent(_ bytes: [UInt8]) {
        giveContentBack()
        unsafe content = .allocate(byteCount: max(1, bytes.count), alignment: 1)
        unsafe content.copyBytes(from: bytes)
        set(CURLOPT_POSTFIELDSIZE, bytes.count)
        unsafe sy_easy_set_pointer(easy, CURLOPT_POSTFIELDS, content.baseAddress)
    }

    /// Wipes the content, because it may hold a code or a token.
    private func giveContentBack() {
        guard let start = unsafe content.baseAddress else { return }
        unsafe sy_easy_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
        unsafe sy_wipe(start, content.count)
        unsafe content.deallocate()
        unsafe content = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    private func setHeaders(_ headers: [(String, String)]) {
        freeHeaders()
        // Without a value: libcurl leaves its own `Expect: 100-continue` out, which would cost a round trip.
        unsafe headerList = unsafe curl_slist_append(nil, "Expect:")
        for (name, value) in headers {
            unsafe headerList = unsafe curl_slist_append(headerList, "\(name): \(value)") ?? headerList
        }
        unsafe sy_easy_set_list(easy, CURLOPT_HTTPHEADER, headerList)
    }

    /// Wipes the header fields first, because they may hold a token or a secret.
    private func freeHeaders() {
        unsafe sy_wipe_list(headerList)
        unsafe curl_slist_free_all(headerList)
    }

    /// Forgets the header fields of a request with an access token, which no other request has.
    private func forgetToken() {
        guard options?.request.hasAccessToken == true else { return }
        options = nil
        setHeaders([])
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe sy_easy_set_long(easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?) {
        if let value {
            _ = unsafe value.withCString { unsafe sy_easy_set_string(easy, option, $0) }
        } else {
            unsafe sy_easy_set_string(easy, option, nil)
        }
    }

    /// Gives libcurl a copy of bytes; no bytes take the option back.
    private func set(_ option: CURLoption, _ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe sy_easy_set_blob(easy, option, $0.baseAddress, $0.count) }
    }

    private func milliseconds(_ duration: Duration) -> Int {
        Int(min(duration, .seconds(1_000_000)).wholeMilliseconds)
    }

    // MARK: During (called by libcurl)

    /// Whether the request may be sent on the present connection. If a reused connection turns out dead, libcurl takes
    /// another one and asks here again; the server may have received the request by then.
    /// - Parameter address: the server's, or the proxy's, as text. A connection that is used again may have been made by
    ///   other rules.
    fileprivate func maySend(to address: String) -> Bool {
        client.endTurn(of: self)
        guard mayConnect(to: IPAddress(address), written: address) else { return false }
        // At the first time, only the proxy has got anything. Later, a new tunnel counts as sent, which is on the safe side.
        if proxy != nil, sentToProxy == nil { sentToProxy = number(CURLINFO_REQUEST_SIZE) }
        return !countsOnce || !wasSent
    }

    /// Whether a connection to this address may be made. An address that cannot be read counts as forbidden.
    fileprivate func mayConnect(to address: IPAddress?, written text: String) -> Bool {
        // Behind a proxy, the address is the proxy's, which the operator named.
        guard let rule = options?.request.destination, rule != .anyServer, proxy == nil else { return true }
        let use = if let address { rule.objection(to: address) } else { SpecialUse?.some(.unreadable) }
        guard let use else { return true }
        forbidden = (text, use)
        return false
    }

    private var wasSent: Bool {
        guard proxy != nil else { return number(CURLINFO_REQUEST_SIZE) > 0 }
        // Before the tunnel stands, everything was for the proxy.
        return sentToProxy.map { number(CURLINFO_REQUEST_SIZE) > $0 } ?? false
    }

    /// - Returns: how many bytes were taken; fewer than there are have libcurl give up at once.
    fileprivate func take(header line: UnsafeRawBufferPointer) -> Int {
        guard unsafe answer.take(header: line) else { return 0 }
        // An empty line ends the header. The header of an interim answer is not the one that counts.
        if let whenBegun, line.count <= 2, number(CURLINFO_RESPONSE_CODE) >= 200 {
            self.whenBegun = nil
            whenBegun(
                IncomingResponse(status: number(CURLINFO_RESPONSE_CODE), headerBytes: answer.header, body: []))
        }
        return line.count
    }

    /// - Returns: as ``take(header:)``.
    fileprivate func take(body part: UnsafeRawBufferPointer) -> Int {
        guard let consumer, number(CURLINFO_RESPONSE_CODE) == 200 else {
            return unsafe answer.take(content: part) ? part.count : 0
        }
        if mustWait?() == true {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        guard unsafe consumer(Array(part)) else {
            hasEnough = true
            return 0
        }
        return part.count
    }

    /// Ends a pause. The content that libcurl has kept comes at once.
    func goOn() {
        guard isPaused else { return }
        isPaused = false
        unsafe curl_easy_pause(easy, CURLPAUSE_RECV_CONT)
    }

    // MARK: After

    /// Lets go of the request: its content, its token, its answer and its reader. The handle may rest for long.
    func end() {
        giveContentBack()
        forgetToken()
        answer = ArrivingAnswer(maximumBytes: 0)
        consumer = nil
        mustWait = nil
        whenBegun = nil
    }

    func result(_ code: CURLcode) -> Result<IncomingResponse, TransferError> {
        guard code == CURLE_OK || hasEnough else { return .failure(error(code)) }
        var response = IncomingResponse(
            status: number(CURLINFO_RESPONSE_CODE), headerBytes: answer.header, body: answer.content)
        response.certificates = certificates
        return .success(response)
    }

    /// The server's certificates. libcurl has a list of texts for each; one of them is its PEM.
    private var certificates: [UInt8] {
        var pointer: UnsafeMutableRawPointer?
        unsafe sy_easy_get_pointer(easy, CURLINFO_CERTINFO, &pointer)
        guard let info = unsafe pointer?.assumingMemoryBound(to: curl_certinfo.self) else { return [] }
        var text = ""
        for number in 0..<Int(unsafe info.pointee.num_of_certs) {
            var item = unsafe info.pointee.certinfo?[number]
            while let entry = unsafe item {
                let line = unsafe entry.pointee.data.map { unsafe String(cString: $0) } ?? ""
                if line.hasPrefix("Cert:") { text += line.dropFirst(5) + "\n" }
                unsafe item = entry.pointee.next
            }
        }
        return Array(text.utf8)
    }

    private func error(_ code: CURLcode) -> TransferError {
        if let forbidden, !wasSent, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return TransferError(forbidden: forbidden.address, forbidden.use)
        }
        switch answer.flaw {
        case .packedTwice: return tooLarge("the answer is compressed more than once")
        case .twoLengths:
            return TransferError(
                code: CURLE_WEIRD_SERVER_REPLY, words: "the answer gives two lengths for its content", wasSent: wasSent)
        case nil where code != CURLE_FILESIZE_EXCEEDED: break
        case .tooLarge, nil: return tooLarge("the answer holds more than \(answer.maximumBytes) bytes")
        }
        if code == CURLE_ABORTED_BY_CALLBACK {
            return TransferError(code: code, words: "the connection was lost before the answer", wasSent: wasSent)
        }
        // So it says that one line of the header is too long for it.
        if code == CURLE_OUT_OF_MEMORY, wasSent {
            return tooLarge("the answer has a header line of more than 100 KB")
        }
        // After sending, this code means an answer without a status line ("HTTP/0.9").
        let isNoHTTP = code == CURLE_UNSUPPORTED_PROTOCOL && wasSent
        let text = unsafe String(cString: words)
        return TransferError(
            code: isNoHTTP ? CURLE_WEIRD_SERVER_REPLY : code, words: text, wasSent: wasSent,
            systemError: number(CURLINFO_OS_ERRNO), verification: number(CURLINFO_SSL_VERIFYRESULT),
            proxy: proxy.map {
                TransferError.ProxyState(
                    proxy: $0, status: number(CURLINFO_HTTP_CONNECTCODE),
                    verification: number(CURLINFO_PROXY_SSL_VERIFYRESULT))
            })
    }

    private func tooLarge(_ words: String) -> TransferError {
        TransferError(code: CURLE_FILESIZE_EXCEEDED, words: words, wasSent: wasSent)
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe sy_easy_get_long(easy, info, &value)
        return value
    }
}

// MARK: libcurl's callbacks

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func allowSending(
    _ context: UnsafeMutableRawPointer?, _ remote: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?,
    _: Int32, _: Int32
) -> Int32 {
    let address = unsafe remote.map { unsafe String(cString: $0) } ?? ""
    return unsafe transfer(context)?.maySend(to: address) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>
) -> curl_socket_t {
    let words = unsafe sy_curl_address(address)
    let length = Int(words.length)
    let bytes = unsafe withUnsafeBytes(of: words.bytes) { unsafe Array($0) }
    let found = IPAddress(bytes: Array(bytes.prefix(length)))
    // A Unix socket has no such address, and is named by the operator.
    guard length == 0 || (unsafe transfer(context)?.mayConnect(to: found, written: found?.description ?? "")) == true
    else { return CURL_SOCKET_BAD }
    return unsafe sy_curl_open_socket(address)
}

private func takeHeader(
    _ line: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    unsafe transfer(context)?.take(header: UnsafeRawBufferPointer(start: line, count: size * count)) ?? 0
}

private func takeBody(
    _ part: UnsafeMutablePointer<CChar>, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    unsafe transfer(context)?.take(body: UnsafeRawBufferPointer(start: part, count: size * count)) ?? 0
}
