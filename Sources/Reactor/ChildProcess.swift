internal import Glibc
internal import SwitchyardCLinux

/// Programs that this one begins.
public enum ChildProcess {
    /// The number of the first descriptor that a program gets beside the standard three.
    public static let firstDescriptor: Int32 = 3

    /// Begins a program, with no signal blocked.
    /// - Parameters:
    ///   - program: as a shell would find it.
    ///   - arguments: all of them, the program's name in front.
    ///   - environment: `NAME=VALUE`.
    ///   - descriptors: from ``firstDescriptor`` on; it gets no others but the standard three.
    /// - Returns: the process.
    public static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String], descriptors: [Int32]
    ) throws(SystemError) -> Int32 {
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        let process = unsafe sy_spawn(
            program, arguments.pointers, environment.pointers, descriptors, Int32(descriptors.count))
        guard process > 0 else { throw SystemError("posix_spawn(\"\(program)\")", code: errno) }
        return process
    }
}

/// Texts as C has them, with a null pointer at the end.
@safe private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = texts.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        for index in unsafe pointers.indices { unsafe free(pointers[index]) }
    }
}
