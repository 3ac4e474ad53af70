import Glibc
import Testing

@testable import SwitchyardReactor

@Suite("The memory of a process") struct ProcessMemoryTests {
    @Test("the limit of a group above counts, too")
    func groups() {
        let files = [
            "/proc/self/cgroup": "1:name=systemd:/\n0::/system.slice/switchyard.service",
            "/proc/self/statm": "100 30 20 1 0 50 0",
            "/sys/fs/cgroup/memory.max": "max",
            "/sys/fs/cgroup/system.slice/memory.max": "4194304",
            "/sys/fs/cgroup/system.slice/switchyard.service/memory.max": "8388608",
        ]
        let memory = ProcessMemory { files[$0] }
        #expect(memory.maximum == 4_194_304)
        #expect(memory.resident == 30 * sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test("the older hierarchy counts, too, where memory is in that")
    func olderHierarchy() {
        let files = [
            "/proc/self/cgroup": "9:pids:/a\n4:cpu,memory:/a/b\n0::/a",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
            "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "4194304",
        ]
        #expect(ProcessMemory { files[$0] }.maximum == 4_194_304)
    }

    @Test(
        "where no group has a measure, or nothing can be read, there is none", arguments: ["0::/", "0::/a", "", "junk"])
    func unbounded(membership: String) {
        let files = ["/proc/self/cgroup": membership, "/sys/fs/cgroup/a/memory.max": "max"]
        let memory = ProcessMemory { files[$0] }
        #expect(memory.maximum == nil && memory.resident == nil)
    }

    @Test("the kernel says how much this one has")
    func own() throws {
        #expect(try #require(ProcessMemory.own.resident) > 1 << 20)
    }
}
