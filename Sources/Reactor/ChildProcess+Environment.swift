internal import Glibc

extension ChildProcess {
    /// The environment of this process as `NAME=VALUE`, for a program that inherits all of it or a part.
    public static var ownEnvironment: [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let text = unsafe next.pointee {
            unsafe variables.append(String(cString: text))
            unsafe next += 1
        }
        return variables
    }

    /// This process's environment by name.
    public static var ownVariables: [String: String] {
        var all: [String: String] = [:]
        for variable in ownEnvironment {
            let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { all[String(parts[0])] = String(parts[1]) }
        }
        return all
    }
}
