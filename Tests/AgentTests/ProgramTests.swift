import SwitchyardRouting
import Testing

@testable import SwitchyardAgent

@Suite("Which program it is")
struct ProgramTests {
    private static let slice = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"

    @Test(
        "the desktop ID stands in the name of the unit that the desktop made",
        arguments: [
            ("app-gnome-org.gnome.Evolution-4711.scope", "org.gnome.Evolution"),
            ("app-org.gnome.Evolution-4711.scope", "org.gnome.Evolution"),
            ("app-KDE-org.kde.kmail2@0a1b.service", "org.kde.kmail2"),
            ("app-org.kde.kmail2.service", "org.kde.kmail2"),
            (#"app-gnome-my\x2dtool-1.scope"#, "my-tool"),
            ("app-gnome-org.gnome.Evolution-4711.scope/child", "org.gnome.Evolution"),
            // A program may make control groups below its own, and name them.
            ("app-gnome-com.evil.Game-1.scope/app-gnome-org.gnome.Evolution-2.scope", "com.evil.Game"),
        ])
    func unit(name: String, id: String) {
        #expect(DesktopUnit.desktopID(ofControlGroup: Self.slice + name + "\n", uid: 1000) == id)
    }

    @Test(
        "what no desktop of this user started has none",
        arguments: [
            "0::/", "0::/user.slice/user-1000.slice/session-2.scope", "", "12:cpu:/app-gnome-x-1.scope",
            "0::/user.slice/user-1001.slice/user@1001.service/app.slice/app-gnome-org.gnome.Evolution-1.scope",
            slice + "dbus.service", slice + "app-.scope", slice + "app-a-b-c-d.scope", slice + "app-gnome-x-1.mount",
        ])
    func noUnit(text: String) {
        #expect(DesktopUnit.desktopID(ofControlGroup: text, uid: 1000) == nil)
    }

    @Test("a snap is known by the label that confines it")
    func snap() {
        #expect(
            ProgramIdentity.snap(label: "snap.thunderbird.thunderbird (enforce)\n")
                == .snap("snap.thunderbird.thunderbird"))
        #expect(ProgramIdentity.snap(label: "unconfined\n") == nil)
        let program = ProgramIdentity(sandbox: .snap("snap.thunderbird.mail"))
        #expect(program.desktopIDs == ["thunderbird_mail"])
    }

    private static let mail = FileIdentity(device: 1, number: 2)
    private static let other = FileIdentity(device: 1, number: 3)

    private func mayUse(_ rule: UseFrom, _ program: ProgramIdentity) -> Bool {
        rule.refusal(of: program) { $0 == "/usr/bin/mail" ? Self.mail : nil } == nil
    }

    @Test("a list of executables means files, whatever they are called")
    func executables() {
        let rule = UseFrom(executables: ["/usr/bin/gone", "/usr/bin/mail"])
        #expect(mayUse(rule, ProgramIdentity(executable: Self.mail)))
        #expect(!mayUse(rule, ProgramIdentity(executable: Self.other)))
        #expect(!mayUse(rule, ProgramIdentity()))
        #expect(!mayUse(UseFrom(), ProgramIdentity(executable: Self.mail)))
    }

    @Test("a program of which the kernel hides something is none that a list names")
    func hidden() {
        let rule = UseFrom(executables: ["/usr/bin/mail"], desktopIDs: ["org.gnome.Evolution"])
        let program = ProgramIdentity(desktopID: "org.gnome.Evolution", sandbox: .unknown)
        #expect(!mayUse(rule, program))
        #expect(program.seen == "a program that the kernel hides")
        #expect(!mayUse(rule, ProgramIdentity(executable: Self.mail, sandbox: .unknown)))
    }

    @Test("a sandbox counts alone: neither its file nor its unit says anything")
    func sandbox() {
        let rule = UseFrom(executables: ["/usr/bin/mail"], desktopIDs: ["org.gnome.Evolution"])
        let posing = ProgramIdentity(
            executable: Self.mail, desktopID: "org.gnome.Evolution", sandbox: .flatpak("com.evil.Game"))
        #expect(!mayUse(rule, posing))
        #expect(mayUse(rule, ProgramIdentity(executable: Self.other, sandbox: .flatpak("org.gnome.Evolution"))))
        #expect(mayUse(rule, ProgramIdentity(executable: Self.other, desktopID: "org.gnome.Evolution")))
    }
}
