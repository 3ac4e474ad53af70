import SwitchyardReactor
import Testing

@testable import SwitchyardPendingRequests

@Suite("Time that does not jump") struct SteadyTimeTests {
    private static let hour: Int64 = 3_600_000

    /// A machine with a clock that a test sets.
    private struct Machine {
        var running: Int64 = 5_000
        var wall: Int64 = 1_800_000_000_000
        var course: ClockFollower

        init() {
            course = ClockFollower(
                wall: Timestamp(milliseconds: wall), since: Instant(nanoseconds: UInt64(running) * 1_000_000))
        }

        var steady: Int64 { running + course.offset }

        mutating func pass(_ seconds: Int) {
            for _ in 0..<seconds {
                running += 1000
                wall += 1000
                course.follow(
                    wall: Timestamp(milliseconds: wall), at: Instant(nanoseconds: UInt64(running) * 1_000_000))
            }
        }
    }

    @Test("it is the machine's time while nobody sets that")
    func ordinary() {
        var machine = Machine()
        machine.pass(1000)
        #expect(machine.steady == machine.wall)
        // A service that keeps it right moves it a little.
        machine.wall += 700
        machine.pass(1)
        #expect(machine.steady == machine.wall)
    }

    @Test("an hour that is put forward or back changes ten minutes by one at the most", arguments: [hour, -hour])
    func jump(by jump: Int64) {
        var machine = Machine()
        machine.pass(10)
        let before = machine.steady
        machine.wall += jump
        machine.pass(600)
        #expect(abs(machine.steady - before - 600_000) <= 60_000)
    }

    @Test("it comes to agree with the machine's time in the end", arguments: [hour, -hour])
    func agreement(after jump: Int64) {
        var machine = Machine()
        machine.wall += jump
        machine.pass(11 * 3600)
        #expect(machine.steady == machine.wall)
    }

    @Test("it knows how often the clock was set, and by how much, and takes no correction for that")
    func steps() {
        var machine = Machine()
        for _ in 0..<20 {
            machine.wall += 700
            machine.pass(5)
        }
        #expect(machine.course.steps == ClockSteps())
        for (number, step) in [Self.hour, -30_000, -Self.hour].enumerated() {
            machine.wall += step
            machine.pass(100)
            #expect(machine.course.steps.count == number + 1)
            #expect(abs(machine.course.steps.lastMilliseconds - step) < 1000)
        }
    }

    @Test("it never goes back")
    func monotonic() {
        var machine = Machine()
        var last = machine.steady
        for jump in [-Self.hour, Self.hour, -1500, 1500, -2 * Self.hour, 10] {
            machine.wall += jump
            for _ in 0..<20 {
                machine.pass(1)
                #expect(machine.steady >= last)
                last = machine.steady
            }
        }
    }

    @Test("a look that comes late makes up for what passed")
    func late() {
        var machine = Machine()
        machine.wall += Self.hour
        machine.running += 100_000
        machine.wall += 100_000
        machine.pass(1)
        #expect(abs(machine.wall - machine.steady - (Self.hour - 10_100)) <= 1)
    }
}
