@testable import SwitchyardDesktop

/// An app's `Info.plist`, and the desktop entry that is made from it.
enum InfoPlistTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        guard let app = try? DesktopApp(infoPlist: bytes) else { return }
        try require(!app.schemes.isEmpty, "an app has a scheme")
        try require(Set(app.schemes).count == app.schemes.count, "a scheme stands once")
        let text = DesktopEntry.text(of: app, program: "/usr/bin/switchyard", made: [])
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        try require(lines.count == 11, "nothing in a name begins a line of its own")
        guard let entry = DesktopEntry(parsing: text) else {
            throw BrokenInvariant(description: "broken: what is written can be read")
        }
        try require(entry.app == "\(app.id)", "an entry is of one app")
        try require(
            entry.list("MimeType") == app.schemes.map(\.mimeType), "an entry has the app's schemes and no other")
        try require(entry.raw("Exec") == "/usr/bin/switchyard open %u", "an entry runs this program")
    }
}
