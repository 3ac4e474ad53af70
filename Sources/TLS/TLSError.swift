internal import SwitchyardCOpenSSL

/// What OpenSSL could not do, and why, in its own words. The description is for operators.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    public let operation: String
    public let reasons: [String]

    public var description: String {
        reasons.isEmpty ? operation : "\(operation): \(reasons.joined(separator: "; "))"
    }

    init(_ operation: String, reasons: [String]) {
        self.operation = operation
        self.reasons = reasons
    }

    /// Takes all that stands in the thread's error queue.
    init(_ operation: String) {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            let reason = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) }
            reasons.append(reason ?? "error \(code)")
        }
        self.init(operation, reasons: reasons)
    }
}
