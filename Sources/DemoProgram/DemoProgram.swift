internal import Glibc
internal import SwitchyardDemo
internal import SwitchyardReactor

/// The tour of `switchyard demo` in a program of its own. It leaves out agent, client library and the other commands,
/// so that `make demo` builds quickly in a fresh clone.
@main
struct DemoProgram {
    static func main() throws {
        signal(SIGPIPE, SIG_IGN)
        let world = try DemoWorld(certificates: DemoCertificates(in: nil), prefersUsualPorts: false)
        let tour = DemoTour(world) { print($0) }
        try runToEnd {
            try await tour.run()
            await world.stop()
        }
        // Not `exit`, which would clean up C libraries while event loops still use them.
        fflush(nil)
        _exit(0)
    }
}
