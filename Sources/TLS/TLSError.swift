internal import Glibc
internal import SwitchyardCOpenSSL

/// A failure of OpenSSL and its reason, in OpenSSL's words. The description is for operators.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    public let operation: String
    public let reasons: [String]
    /// The way to mend it; nil where it is unknown.
    public let remedy: String?

    /// The fault, without the remedy.
    public var problem: String {
        reasons.isEmpty ? operation : "\(operation): \(reasons.joined(separator: "; "))"
    }

    public var description: String { remedy.map { "\(problem); \($0)" } ?? problem }

    init(_ operation: String, reasons: [String], remedy: String? = nil) {
        self.operation = operation
        self.reasons = reasons
        self.remedy = remedy
    }

    /// Takes all that stands in the thread's error queue.
    init(_ operation: String) {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            if let reason = Self.reason(code) { reasons.append(reason) }
        }
        self.init(operation, reasons: reasons)
    }

    /// The system's own errors stand between OpenSSL's, which follow them with one that says no more than that.
    private static func reason(_ code: UInt) -> String? {
        if let number = Int32(exactly: code & 0x7FFF_FFFF), code & 0x8000_0000 != 0 {
            return unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        }
        guard let words = unsafe ERR_reason_error_string(code).map({ unsafe String(cString: $0) }) else {
            return "error \(code)"
        }
        return words == "system lib" ? nil : words
    }
}
