import Glibc

/// libFuzzer calls this with each input. The environment names the target, since libFuzzer reads the arguments.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    do throws(BrokenInvariant) {
        try Driver.target.check(bytes)
    } catch {
        say("\(error)")
        abort()
    }
    return 0
}

enum Driver {
    static let target: FuzzTarget = {
        let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            say("FUZZ_TARGET has to be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
            exit(2)
        }
        return target
    }()
}

private func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
}
