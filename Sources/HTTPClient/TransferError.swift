internal import Glibc
internal import SwitchyardCCurl

/// A request that brought no answer.
public struct TransferError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable {
        /// The request itself is wrong: its URL, its scheme, a header, its size. Nothing was done.
        case refused
        /// The name, the connection or the TLS handshake failed.
        case notConnected = "not_connected"
        /// The time was over.
        case timedOut = "timed_out"
        /// The answer holds more than it may.
        case tooLarge = "too_large"
        /// The connection was lost after it had been made.
        case interrupted
        /// What came back is no HTTP.
        case malformedAnswer = "malformed_answer"
    }

    /// What ``Kind/notConnected`` was about.
    public enum Obstacle: Hashable, Sendable {
        /// The name could not be looked up, or there is no way to the address: this machine may be offline.
        case offline
        /// Nobody listens there, or TLS could not be agreed on.
        case refused
        /// Somebody answers, whose certificate does not pass.
        case certificate(CertificateProblem)
    }

    /// Why the certificate of a server is not believed. The raw values name it in logs.
    public enum CertificateProblem: String, Sendable, CaseIterable {
        case expired
        case notYetValid = "not_yet_valid"
        /// It was issued by nobody whom this machine, or the extra trust anchor, trusts.
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
    /// What happened, in libcurl's words and with its code. For operators; it can name hosts, but holds no content.
    public let message: String

    public var description: String { message }

    /// Whether the server's certificate is why.
    public var isUntrusted: Bool {
        if case .certificate = obstacle { true } else { false }
    }
}

extension TransferError {
    /// What libcurl's `code` means. `words` is the content of its error buffer.
    /// - Parameters:
    ///   - systemError: `errno` of the last connect that failed; 0 when none did.
    ///   - verification: what OpenSSL found wrong with the certificate; 0 when nothing.
    init(code: CURLcode, words: String, wasSent: Bool, systemError: Int = 0, verification: Int = 0) {
        kind = Self.kind(of: code)
        self.wasSent = wasSent
        obstacle = kind == .notConnected ? Self.obstacle(code, systemError, verification) : nil
        let general = unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
        message = "\(words.isEmpty ? general : words) (curl \(code.rawValue))"
    }

    private static func obstacle(_ code: CURLcode, _ systemError: Int, _ verification: Int) -> Obstacle {
        switch (code, Int32(clamping: systemError)) {
        case (CURLE_PEER_FAILED_VERIFICATION, _): .certificate(certificateProblem(verification))
        case (CURLE_COULDNT_RESOLVE_HOST, _), (CURLE_INTERFACE_FAILED, _): .offline
        case (CURLE_COULDNT_CONNECT, ENETUNREACH), (CURLE_COULDNT_CONNECT, EHOSTUNREACH),
            (CURLE_COULDNT_CONNECT, ENETDOWN):
            .offline
        default: .refused
        }
    }

    /// - Parameter verification: one of OpenSSL's `X509_V_ERR_…`.
    private static func certificateProblem(_ verification: Int) -> CertificateProblem {
        switch verification {
        // libcurl compares the name by itself, before it asks OpenSSL what it thinks of the chain: then this is 1.
        case 0, 1, 62, 64: .wrongName
        case 9: .notYetValid
        case 10: .expired
        case 2, 18...21, 27: .untrusted
        default: .other
        }
    }

    private static func kind(of code: CURLcode) -> Kind {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY:
            .refused
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
            CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_INITFAILED, CURLE_INTERFACE_FAILED:
            .notConnected
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR: .tooLarge
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedAnswer
        default: .interrupted
        }
    }
}
