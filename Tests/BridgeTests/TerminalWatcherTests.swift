import Testing

@testable import SwitchyardBridge

@Suite("Addresses in what a session shows") struct TerminalWatcherTests {
    private static let address =
        "https://login.contoso.com/authorize?response_type=code&client_id=app&state=s1-long-enough-to-be-cut&"
        + "redirect_uri=http%3A%2F%2Flocalhost%3A8400%2Fcb&scope=openid"

    private static func found(
        _ text: String, columns: Int = 80, isTerminal: Bool = true, cutting size: Int = .max
    ) -> [String] {
        var watcher = TerminalWatcher(columns: columns, isTerminal: isTerminal)
        var rest = Array(text.utf8)[...]
        var found: [String] = []
        while !rest.isEmpty {
            found += watcher.take(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return found + watcher.rest()
    }

    /// As a program that wraps by itself writes it.
    private static func wrapped(_ text: String, _ width: Int, _ lineBreak: String) -> String {
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return lines.joined(separator: lineBreak)
    }

    @Test("an address is found in pieces of any size", arguments: [1, 2, 3, 5, 64, Int.max])
    func pieces(size: Int) {
        let text = "Open\r\n\r\n  \(Self.address)\r\n\r\nWaiting ...\r\n"
        #expect(Self.found(text, cutting: size) == [Self.address])
    }

    @Test(
        "a line that the edge of the terminal breaks goes on", arguments: [20, 40, 79, 80, 132],
        ["\r\n", "\n", "\r\n\u{1B}[K"])
    func edge(width: Int, lineBreak: String) {
        let text = Self.wrapped(Self.address, width, lineBreak)
        #expect(Self.found("Open:\r\n\(text)\r\n\r\nWaiting", columns: width) == [Self.address])
    }

    @Test("a cursor that is moved to the next line's begin is a line's break")
    func cursor() {
        var text = ""
        for (row, start) in stride(from: 0, to: Self.address.count, by: 50).enumerated() {
            text += "\u{1B}[\(row + 3);1H" + Self.address.dropFirst(start).prefix(50)
        }
        #expect(Self.found(text + "\u{1B}[20;1H$ ", columns: 50) == [Self.address])
    }

    @Test("a program that breaks lines earlier than the terminal is understood", arguments: [60, 76, 78])
    func early(width: Int) {
        let text = Self.wrapped(Self.address, width, "\r\n")
        #expect(Self.found("Visit\r\n\(text)\r\n\r\nand wait\r\n", columns: 200) == [Self.address])
        #expect(Self.found("\(text)\nand wait\n", columns: 0, isTerminal: false) == [Self.address])
    }

    @Test("the next line does not belong to a whole address")
    func next() {
        #expect(Self.found("\(Self.address)\r\nWaiting...\r\n", columns: 400) == [Self.address])
        #expect(
            Self.found("\(Self.address)\r\nhttps://contoso.com/\r\n", columns: 400) == [
                Self.address, "https://contoso.com/",
            ])
    }

    @Test(
        "an address that is whole at the end of its first line goes on where the next looks like a query's rest",
        arguments: [0, 2, 4], ["\r\n", "\r\n\r\nand wait\r\n", " and wait"])
    func wholeAtFirst(indentation: Int, end: String) {
        let indent = String(repeating: " ", count: indentation)
        let text = indent + Self.wrapped(Self.address, 140, "\r\n" + indent)
        #expect(Self.found("Visit\r\n\(text)\(end)", columns: 200) == [Self.address])
        #expect(Self.found("Visit\n\(text)\(end)", columns: 0, isTerminal: false) == [Self.address])
    }

    @Test("lines that a program broke at hyphens are of any length")
    func hyphens() {
        let parts = Self.address.split(separator: "-", omittingEmptySubsequences: false)
        #expect(Self.found(parts.joined(separator: "-\r\n") + "\r\n\r\n", columns: 200) == [Self.address])
    }

    @Test("an address in the line after another one is its own, however long either is")
    func twoLines() {
        let other = "https://contoso.com/" + String(repeating: "a", count: 150)
        #expect(
            Self.found("\(other)\r\n\(Self.address)\r\nWaiting\r\n", columns: 400) == [other, Self.address])
    }

    @Test("an address that the terminal's edge broke is whole at the line's end")
    func edgeAtOnce() {
        var watcher = TerminalWatcher(columns: 100, isTerminal: true)
        #expect(watcher.take(Array("\(Self.address)\r\n".utf8)[...]) == [Self.address])
    }

    @Test("an address that ends exactly at the edge of the terminal ends there", arguments: [40, 80])
    func endsAtEdge(width: Int) {
        #expect(Self.address.utf8.count % width == 0)
        #expect(Self.found("\(Self.address)\r\nWaiting...\r\n", columns: width) == [Self.address])
    }

    @Test("closing brackets without an opening one cost no more than other letters")
    func brackets() {
        let text = "https://a.example/(" + String(repeating: ")]", count: 4000)
        #expect(Self.found("\(text) \(Self.address) ", columns: 0) == ["https://a.example/()", Self.address])
    }

    @Test("colors and erasing do not cut an address")
    func colors() {
        let text =
            "\u{1B}[1;34m" + Self.address.prefix(30) + "\u{1B}[0m\u{1B}[4m" + Self.address.dropFirst(30)
            + "\u{1B}[0m\u{1B}[K\r\n"
        #expect(Self.found(text) == [Self.address])
    }

    @Test("a hyperlink is looked at behind its text", arguments: ["\u{7}", "\u{1B}\\"])
    func hyperlink(end: String) {
        let text = "\u{1B}]8;id=7;\(Self.address)\(end)Sign in\u{1B}]8;;\(end)\r\n"
        #expect(Self.found(text, cutting: 1) == [Self.address])
    }

    @Test("other strings of a terminal are no text")
    func strings() {
        #expect(
            Self.found("\u{1B}]0;\(Self.address)\u{7}\u{1B}Pq\(Self.address)\u{1B}\\\u{1B}_\(Self.address)\u{1B}\\")
                == [])
    }

    @Test(
        "the sentence around an address is left out",
        arguments: [
            ("(", ")."), ("\"", "\""), ("<", ">"), ("[x](", ")"), ("**", "**"), ("to ", ","), ("'", "'"), ("→", "…"),
        ])
    func sentence(before: String, after: String) {
        #expect(Self.found("\(before)\(Self.address)\(after) go", columns: 400) == [Self.address])
    }

    @Test("a line that is written over is two")
    func overwritten() {
        #expect(Self.found("https://contoso\r\(Self.address)\r\n", columns: 400).last == Self.address)
    }

    @Test("in the alternate screen an address is seen, but nothing of ours is written")
    func alternate() {
        var watcher = TerminalWatcher(columns: 400, isTerminal: true)
        #expect(watcher.isAtRest)
        #expect(watcher.take(Array("\u{1B}[?1049h\(Self.address) ".utf8)[...]) == [Self.address])
        #expect(!watcher.isAtRest)
        _ = watcher.take(Array("\u{1B}[?1049l".utf8)[...])
        #expect(watcher.isAtRest)
        _ = watcher.take(Array("\u{1B}[3".utf8)[...])
        #expect(!watcher.isAtRest)
        _ = watcher.take(Array("1m".utf8)[...])
        #expect(watcher.isAtRest)
        _ = watcher.take(Array("é".utf8.prefix(1))[...])
        #expect(!watcher.isAtRest)
    }

    @Test("a stream of a program's bytes is not looked at")
    func binary() {
        #expect(Self.found("a\0\(Self.address) ", isTerminal: false) == [])
        #expect(Self.found("a\0\(Self.address) ", columns: 400) == [Self.address])
    }

    @Test("an endless word is not kept")
    func endless() {
        let text = "https://a.example/" + String(repeating: "a", count: 100_000) + " \(Self.address) "
        #expect(Self.found(text, columns: 0) == [Self.address])
    }
}

@Suite("What suspends a session") struct SuspendKeyTests {
    private static func parts(_ text: String, _ kind: SuspendKey.Kind, cutting size: Int) -> [SuspendKey.Part] {
        var key = SuspendKey(kind)
        var rest = Array(text.utf8)[...]
        var parts: [SuspendKey.Part] = []
        while !rest.isEmpty {
            for part in key.take(rest.prefix(size)) {
                if case .typed(let more) = part, case .typed(let before) = parts.last {
                    parts[parts.count - 1] = .typed(before + more)
                } else {
                    parts.append(part)
                }
            }
            rest = rest.dropFirst(size)
        }
        return parts
    }

    private static func typed(_ text: String) -> SuspendKey.Part { .typed(Array(text.utf8)) }

    @Test("it is ^Z behind the escape character at the beginning of a line", arguments: [1, 2, 3, 100])
    func escaped(size: Int) {
        func parts(_ text: String) -> [SuspendKey.Part] {
            Self.parts(text, .escaped(by: UInt8(ascii: "~")), cutting: size)
        }
        #expect(parts("~\u{1A}") == [.suspend])
        #expect(parts("ls\r~\u{1A}x") == [Self.typed("ls\r"), .suspend, Self.typed("x")])
        #expect(parts("~\u{1A}~\u{1A}") == [.suspend, .suspend])
        #expect(parts("~?~\u{1A}") == [Self.typed("~?"), .suspend])
        for others in ["a~\u{1A}", "\u{1A}", "~~\u{1A}", "~a\u{1A}", "~.", "vi\r\u{1A}\r~/x\r"] {
            #expect(parts(others) == [Self.typed(others)])
        }
    }

    @Test("where the far side has no terminal it is every ^Z")
    func alone() {
        #expect(
            Self.parts("a~\u{1A}\u{1A}b", .alone, cutting: 1) == [
                Self.typed("a~"), .suspend, .suspend, Self.typed("b"),
            ])
    }

    @Test("the escape character is ssh's, as ssh names it")
    func character() {
        for (name, byte) in [("~", UInt8(ascii: "~")), ("%", UInt8(ascii: "%")), ("\\^]", 0x1D)] {
            var key = SuspendKey(escapeCharacter: name)
            #expect(key?.take([byte, 0x1A]) == [.suspend])
        }
        #expect(SuspendKey(escapeCharacter: "none") == nil)
    }
}
