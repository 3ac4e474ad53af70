internal import Glibc
internal import SwitchyardCLinux

/// A system call that failed: which one, and why. The description is for people.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    public let call: String
    public let code: Int32

    public init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    public var description: String {
        // glibc keeps this text per thread.
        let message = unsafe strerror(code).map { unsafe String(cString: $0) }
        return "\(call): \(message ?? "error \(code)")"
    }

    public var isAddressInUse: Bool { code == EADDRINUSE }
}

/// Runs a system call, again after EINTR, and names it in the error.
@discardableResult
func check(_ call: StaticString, _ body: () -> Int32) throws(SystemError) -> Int32 {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError("\(call)", code: code) }
    }
}
