import Testing

@testable import SwitchyardAgent

@Suite("Which file systems are asked")
struct MountTableTests {
    private static let table = MountTable(
        """
        22 27 0:21 / /proc rw,relatime - proc proc rw
        27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        31 27 0:40 / /home/mail/a\\040-\\040ext4 rw,nosuid - fuse.sshfs mail@contoso.com:/ rw,user_id=1000
        32 27 0:41 / /media/disk rw - fuseblk /dev/sdb1 rw
        33 27 0:42 / /home rw master:2 propagate_from:1 - nfs4 contoso.com:/home rw
        34 27 0:43 / /srv rw - overlay overlay rw,lowerdir=/a:/b
        35 27 0:44 / /run rw - tmpfs tmpfs rw
        36 broken
        """.utf8.map { $0 })

    @Test("those of the agent's own mounts that no program answers for", arguments: [22, 27, 33, 34, 35])
    func asked(mount: UInt64) { #expect(Self.table.mayAsk(mount)) }

    @Test("never FUSE, and none that is not known", arguments: [31, 32, 36, 99])
    func notAsked(mount: UInt64) {
        #expect(!Self.table.mayAsk(mount))
        #expect(!Self.table.mayAskForeign(mount))
    }

    @Test("in a foreign name space only what lies on no other file system")
    func foreign() {
        #expect([27, 35].allSatisfy(Self.table.mayAskForeign))
        #expect(![33, 34].contains(where: Self.table.mayAskForeign))
    }
}

@Suite("Files without waiting for them")
struct FilePointerTests {
    @Test("links are followed as open does it")
    func links() throws {
        let mounts = MountTable.own
        let root = try #require(FilePointer.root(of: "/proc/self"))
        let file = try #require(root.walk(to: "/proc/self/exe", mounts.mayAsk))
        #expect(file.identity == FileIdentity(link: "/proc/self/exe"))
        #expect(FileIdentity(at: "/proc/self/exe", mounts: mounts) == file.identity)
        #expect(FileIdentity(at: "/proc/self/../self/no-such-file", mounts: mounts) == nil)
        #expect(FileIdentity(at: "/proc", mounts: mounts) == nil)
        #expect(root.walk(to: "/proc/self/status") { _ in false } == nil)
        #expect(root.walk(to: "/proc/self/status", mounts.mayAsk)?.text(maximum: 5) == "Name:")
    }
}
