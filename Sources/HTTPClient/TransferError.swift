internal import Glibc
internal import SwitchyardCCurl
public import SwitchyardRouting

/// A request that brought no answer.
public struct TransferError: Error, Equatable, Sendable, CustomStringConvertible {
    /// How far the exchange came. The raw values name it in logs.
    public enum Kind: String, Sendable, CaseIterable {
        /// The request itself is wrong: its URL, its scheme, a header, its size. It was not sent.
        case invalidRequest = "invalid_request"
        /// The name, the connection or the TLS handshake failed.
        case notConnected = "not_connected"
        /// The time was over.
        case timedOut = "timed_out"
        /// The answer holds more than it may.
        case tooLarge = "too_large"
        /// The connection was lost after it had been made.
        case interrupted
        /// The answer is not HTTP.
        case malformedResponse = "malformed_answer"
    }

    /// The obstacle behind ``Kind/notConnected``.
    public enum Obstacle: Hashable, Sendable {
        /// The name could not be looked up, or there is no way to the address: this machine may be offline.
        case offline
        /// There is no listener, or TLS could not be agreed on.
        case connectionRefused
        /// The server's certificate does not pass.
        case certificate(CertificateProblem)
        /// The proxy does not pass the connection on, and answered with this status.
        case proxyRefused(status: Int)
        /// The address is none that the request may be sent to (``DestinationRule``).
        case forbiddenAddress(SpecialUse)
    }

    /// The reason why the certificate of a server is rejected. The raw values name it in logs.
    public enum CertificateProblem: String, Sendable, CaseIterable {
        case expired
        case notYetValid = "not_yet_valid"
        /// Its authority is trusted neither by this machine nor by the extra trust anchor.
        case untrusted
        /// It is another host's.
        case wrongName = "wrong_name"
        case other
    }

    public let kind: Kind
    /// nil unless the kind is ``Kind/notConnected``.
    public var obstacle: Obstacle?
    /// Whether the server may have the whole request. When false it cannot have acted on it, so sending again is safe.
    public let wasSent: Bool
    /// The failure, in libcurl's words and with its code. For operators: it can name hosts, but holds no content.
    public let message: String

    public var description: String { message }

    /// Whether the server's certificate is why.
    public var isUntrusted: Bool {
        if case .certificate = obstacle { true } else { false }
    }
}

extension TransferError {
    /// - Parameter address: as text.
    init(forbidden address: String, _ use: SpecialUse) {
        kind = .notConnected
        obstacle = .forbiddenAddress(use)
        wasSent = false
        message = "the address \(address) is \(use.words), and an address that others gave must not lead there"
    }

    /// Translates libcurl's `code`. `words` is the content of its error buffer.
    /// - Parameters:
    ///   - systemError: `errno` of the last connect that failed; 0 without a failure.
    ///   - verification: OpenSSL's fault with the certificate; 0 without a fault.
    ///   - proxy: the proxy, and how far it came; nil for a direct call.
    init(
        code: CURLcode, words: String, wasSent: Bool, systemError: Int = 0, verification: Int = 0,
        proxy: ProxyState? = nil
    ) {
        self.wasSent = wasSent
        let general = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
        let text = "\(words.isEmpty ? general : words) (curl \(code.rawValue))"
        message = proxy.map { "\(text), \($0.words(wasSent: wasSent))" } ?? text
        if let status = proxy?.refusal, !wasSent, code != CURLE_OPERATION_TIMEDOUT {
            kind = .notConnected
            obstacle = .proxyRefused(status: status)
        } else {
            kind = Self.kind(of: code)
            let faults = [verification, proxy?.verification ?? 0]
            obstacle =
                kind == .notConnected ? Self.obstacle(code, systemError, faults.first { $0 != 0 } ?? 0) : nil
        }
    }

    /// A proxy, and how far it came with a request.
    struct ProxyState {
        let proxy: OutgoingProxy
        /// Its answer to CONNECT; 0 without one.
        let status: Int
        /// OpenSSL's fault with its certificate; 0 without a fault.
        let verification: Int

        /// The status of an answer that refuses the connection.
        var refusal: Int? { status == 0 || (200..<300).contains(status) ? nil : status }

        func words(wasSent: Bool) -> String {
            let name = "the proxy \(proxy.address)"
            if status == 407 {
                return proxy.user == nil
                    ? "because \(name) asks for a user and a password"
                    : "because \(name) does not accept user and password"
            }
            if let refusal { return "because \(name) refused the connection with status \(refusal)" }
            return verification == 0 ? "through \(name)" : "because the certificate of \(name) does not pass"
        }
    }

    private static func obstacle(_ code: CURLcode, _ systemError: Int, _ verification: Int) -> Obstacle {
        switch (code, Int32(clamping: systemError)) {
        case (CURLE_PEER_FAILED_VERIFICATION, _): .certificate(certificateProblem(verification))
        case (CURLE_COULDNT_RESOLVE_HOST, _), (CURLE_COULDNT_RESOLVE_PROXY, _), (CURLE_INTERFACE_FAILED, _): .offline
        case (CURLE_COULDNT_CONNECT, ENETUNREACH), (CURLE_COULDNT_CONNECT, EHOSTUNREACH),
            (CURLE_COULDNT_CONNECT, ENETDOWN):
            .offline
        default: .connectionRefused
        }
    }

    /// OpenSSL's faults, by its numbers: `X509_V_OK` and `X509_V_ERR_…`.
    private enum Verification: Int {
        case ok = 0
        case unspecified = 1
        case unableToGetIssuer = 2
        case notYetValid = 9
        case hasExpired = 10
        case selfSigned = 18
        case selfSignedInChain = 19
        case unableToGetIssuerLocally = 20
        case unableToVerifyLeaf = 21
        case untrusted = 27
        case hostMismatch = 62
        case addressMismatch = 64
    }

    /// - Parameter verification: as OpenSSL says it.
    private static func certificateProblem(_ verification: Int) -> CertificateProblem {
        switch Verification(rawValue: verification) {
        // libcurl compares the name itself, before it asks OpenSSL about the chain.
        case .ok, .unspecified, .hostMismatch, .addressMismatch: .wrongName
        case .notYetValid: .notYetValid
        case .hasExpired: .expired
        case .unableToGetIssuer, .selfSigned, .selfSignedInChain, .unableToGetIssuerLocally, .unableToVerifyLeaf,
            .untrusted:
            .untrusted
        case nil: .other
        }
    }

    private static func kind(of code: CURLcode) -> Kind {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY:
            .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_INITFAILED, CURLE_INTERFACE_FAILED,
            CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            .notConnected
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR: .tooLarge
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedResponse
        default: .interrupted
        }
    }
}
