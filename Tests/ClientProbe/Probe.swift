internal import Glibc
internal import SwitchyardClient
internal import SwitchyardJSON
internal import Synchronization

/// An app that a test steers: it reads a command a line as JSON, and writes what happens a line as JSON.
///
/// The first line configures it. Each command has an `id`, which its answer repeats; commands run side by side.
@main struct Probe {
    static func main() async {
        guard let first = readLine(), let settings = object(first) else { return }
        do throws(AuthenticationError) {
            let application = try PublicClientApplication(configuration: try ProbeConfiguration.read(settings))
            Output.write(["ready": true, "redirect_uri": application.redirectURI.map { .string($0) } ?? .null])
            let session = ProbeSession(application)
            // Reading blocks, so it has a thread of its own.
            await Task.detached { read(session) }.value
        } catch {
            Output.write(["error": .object(Report.error(error))])
        }
    }

    private static func read(_ session: ProbeSession) {
        while let line = readLine() {
            guard let command = object(line) else { continue }
            Task.detached { await session.perform(command) }
        }
    }

    private static func object(_ line: String) -> JSONObject? {
        (try? JSONValue.parse(Array(line.utf8)))?.object
    }
}

/// Writes whole lines, from any thread, without C's library: a reader of standard input holds its lock.
enum Output {
    private static let lock = Mutex(())

    static func write(_ object: JSONObject) {
        let line = JSONValue.object(object).serialized + [UInt8(ascii: "\n")]
        lock.withLock { _ in
            var written = 0
            while written < line.count {
                let count = unsafe line[written...].withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                written += count
            }
        }
    }
}
