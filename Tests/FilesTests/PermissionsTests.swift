import Glibc
import SwitchyardFiles
import TestSupport
import Testing

@Suite("Owners and modes of files") struct PermissionsTests {
    @Test(
        "other writers are the group and everybody, whichever bit is set",
        arguments: [
            (0o600, nil, "-w"), (0o644, nil, "-w"), (0o755, nil, "-w"), (0o660, "its group", "g-w"),
            (0o620, "its group", "g-w"), (0o602, "everybody on this machine", "o-w"),
            (0o666, "everybody on this machine", "go-w"),
        ] as [(UInt32, String?, String)])
    func writers(mode: UInt32, others: String?, revocation: String) {
        let permissions = FilePermissions(owner: 1, group: 1, mode: mode)
        #expect(permissions.otherWriters == others)
        #expect(permissions.isOwnersToChange == (others == nil))
        #expect(permissions.revocation == revocation)
    }

    @Test("names are kept in a folder of one writer, and in one with the sticky bit")
    func sticky() {
        #expect(FilePermissions(owner: 0, group: 0, mode: 0o755).keepsNames)
        #expect(!FilePermissions(owner: 0, group: 0, mode: 0o777).keepsNames)
        #expect(FilePermissions(owner: 0, group: 0, mode: 0o1777).keepsNames)
    }

    @Test(
        "the bits that count are the kernel's: the owner's, else the group's, else the others'",
        arguments: [
            (1001, 0o600, true), (1002, 0o600, false), (1002, 0o604, true), (1003, 0o604, false),
            (1003, 0o640, true), (1001, 0o044, false), (0, 0o000, true),
        ] as [(UInt32, UInt32, Bool)])
    func readers(user: UInt32, mode: UInt32, mayRead: Bool) {
        let file = FilePermissions(owner: 1001, group: 50, mode: mode)
        #expect(file.allow(MachineUser(number: user, groups: user == 1003 ? [50] : []), 4) == mayRead)
    }

    @Test(
        "a file that the group or others may open in any way is not private",
        arguments: [0o600, 0o400, 0o640, 0o620, 0o610, 0o604, 0o602, 0o601] as [UInt32])
    func privateFile(mode: UInt32) throws {
        let folder = try Folder(LastingFolder.make())
        try folder.create("file", with: [1], mode: .exactly(mode))
        let file = try OpenFile("file", in: folder, for: .reading)
        let refused = refusal(of: file)
        let permissions = FilePermissions(owner: geteuid(), group: getegid(), mode: mode)
        #expect(refused == (mode & 0o077 == 0 ? nil : .open(permissions)))
    }

    /// The reason why an open file is not private; nil if it is.
    private func refusal(of file: consuming OpenFile) -> PrivacyError? {
        do throws(PrivacyError) {
            _ = try PrivateFile(file)
            return nil
        } catch {
            return error
        }
    }

    @Test("a folder in the place of a private file is refused, and an open folder is not private")
    func privateFolder() throws {
        let folder = try Folder(LastingFolder.make())
        #expect(try PrivateFolder(folder).folder.path == folder.path)
        let file = try OpenFile(folder.path, for: .place)
        let refused = refusal(of: file)
        #expect(refused == .otherKind)
        #expect(unsafe chmod(folder.path, 0o711) == 0)
        let open = try Folder(folder.path)
        #expect(throws: PrivacyError.self) { _ = try PrivateFolder(open) }
    }

    @Test("a foreign owner is refused whatever the mode is")
    func foreignOwner() throws {
        guard geteuid() == 0 else { return }
        let folder = try Folder(LastingFolder.make())
        try folder.create("file", with: [1])
        #expect(unsafe chown("\(folder.path)/file", 12345, 0) == 0)
        let file = try OpenFile("file", in: folder, for: .reading)
        let refused = refusal(of: file)
        #expect(refused == .foreignOwner(12345))
    }
}
