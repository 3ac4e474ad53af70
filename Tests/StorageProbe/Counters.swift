internal import Glibc

/// A document of counters, `a=3 b=5`: an update that is lost is missing in its sum.
enum Counters {
    static func increment(_ counter: String, in document: inout [UInt8]?) {
        var counts: [String: Int] = [:]
        for pair in String(decoding: document ?? [], as: UTF8.self).split(separator: " ") {
            let parts = pair.split(separator: "=")
            if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
        }
        counts[counter, default: 0] += 1
        document = Array(counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ").utf8)
    }
}

/// Lines go into a pipe, which C's library would fill by the page.
func flushOutput() {
    fflush(nil)
}
