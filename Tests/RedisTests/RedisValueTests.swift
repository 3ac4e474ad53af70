import SwitchyardReactor
import Testing

@testable import SwitchyardRedis

@Suite("The protocol of Redis") struct RedisValueTests {
    private func values(_ text: String, inPiecesOf size: Int) throws -> [RedisValue] {
        var reader = try ReplyReader() ?? { throw ReplyReader.Malformed() }()
        var values: [RedisValue] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let piece = Array(bytes.prefix(size))
            bytes = bytes.dropFirst(size)
            reader.feed(piece, count: piece.count)
            while let value = try reader.next() { values.append(value) }
        }
        return values
    }

    @Test("every kind of answer is read, in pieces of any size", arguments: [1, 2, 3, 7, 1000])
    func answers(size: Int) throws {
        let text =
            "+OK\r\n:-42\r\n$5\r\na\r\nbc\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n-READONLY You can't write\r\n"
            + "*3\r\n:1\r\n*2\r\n+x\r\n$-1\r\n-ERR no\r\n"
        #expect(
            try values(text, inPiecesOf: size) == [
                .status("OK"), .integer(-42), .bytes(Array("a\r\nbc".utf8)), .bytes([]), .null, .null, .array([]),
                .error(RedisServerError("READONLY You can't write")),
                .array([.integer(1), .array([.status("x"), .null]), .error(RedisServerError("ERR no"))]),
            ])
    }

    @Test(
        "what is no answer is refused",
        arguments: ["HTTP/1.1 400 Bad Request\r\n", ":12a\r\n", "$-2\r\n\r\n", "*-5\r\n", "$99999999999999999999\r\n"])
    func malformed(text: String) {
        #expect(throws: ReplyReader.Malformed.self) { try values(text, inPiecesOf: 1000) }
    }

    @Test("an answer that nests deeper or counts more than any of Redis is refused, and takes no memory before")
    func limits() throws {
        for text in [
            "*2147483647\r\n", "*65537\r\n", "*1\r\n*2147483647\r\n", String(repeating: "*1\r\n", count: 20_000),
            String(repeating: "*1\r\n", count: 20) + ":1\r\n",
        ] {
            for size in [1, 4, 1000] {
                #expect(throws: ReplyReader.Malformed.self) { try values(text, inPiecesOf: size) }
            }
        }
        let nested = String(repeating: "*1\r\n", count: 5) + ":1\r\n"
        #expect(try values(nested, inPiecesOf: 1000).count == 1)
        let long = "*65536\r\n" + String(repeating: ":1\r\n", count: 65536)
        #expect(try values(long, inPiecesOf: 1000).first?.array?.count == 65536)
    }

    @Test("a command goes out with the length of each argument, so that any bytes pass")
    func commands() {
        let command = RedisCommand([Array("SET".utf8), [0, 13, 10, 255], []])
        var out: [UInt8] = []
        command.write(to: &out)
        #expect(
            out == Array("*3\r\n$3\r\nSET\r\n$4\r\n".utf8) + [0, 13, 10, 255] + Array("\r\n$0\r\n\r\n".utf8))
        (["PING"] as RedisCommand).write(to: &out)
        #expect(out.suffix(14) == Array("*1\r\n$4\r\nPING\r\n".utf8)[...])
    }

    @Test(
        "numbers are arguments in decimal digits", arguments: [0, 7, 10, -1, 1_795_395_191_146, .max, .min] as [Int64])
    func numbers(number: Int64) {
        var (arguments, out, expected) = (RedisArguments(), [] as [UInt8], [] as [UInt8])
        arguments.append(number)
        RedisCommand(arguments).write(to: &out)
        RedisCommand([Array("\(number)".utf8)]).write(to: &expected)
        #expect(out == expected)
    }

    @Test(
        "an error says what it is by its first word",
        arguments: [
            ("READONLY You can't write against a read only replica.", .readOnly),
            ("LOADING Redis is loading the dataset in memory", .loading),
            ("OOM command not allowed when used memory > 'maxmemory'.", .outOfMemory),
            ("CLUSTERDOWN Hash slot not served", .clusterDown),
            ("MOVED 3999 127.0.0.1:6381", .moved(slot: 3999, to: RedisAddress(host: "127.0.0.1", port: 6381))),
            ("MOVED 1 ::1:6381", .moved(slot: 1, to: RedisAddress(host: "::1", port: 6381))),
            ("MOVED 1 :6381", .moved(slot: 1, to: RedisAddress(host: "", port: 6381))),
            ("ASK 3999 node.example:6381", .ask(slot: 3999, to: RedisAddress(host: "node.example", port: 6381))),
            ("MOVED 16384 127.0.0.1:6381", .other), ("MOVED x 127.0.0.1:6381", .other), ("MOVED 1 nowhere", .other),
            ("TRYAGAIN Multiple keys request during rehashing of slot", .tryAgain),
            ("CROSSSLOT Keys in request don't hash to the same slot", .crossSlot),
            ("NOSCRIPT No matching script.", .noScript), ("NOAUTH Authentication required.", .notAuthenticated),
            ("WRONGPASS invalid username-password pair", .wrongPassword),
            ("NOPERM this user has no permissions", .notPermitted),
            ("MASTERDOWN Link with MASTER is down", .masterDown), ("BUSY Redis is busy running a script", .busy),
            ("NOREPLICAS Not enough good replicas to write.", .tooFewReplicas),
            ("MISCONF Redis is configured to save RDB snapshots", .cannotSave), ("ERR syntax error", .other),
            ("", .other),
        ] as [(String, RedisServerError.Kind)])
    func errors(text: String, kind: RedisServerError.Kind) {
        #expect(RedisServerError(text).kind == kind)
    }

    @Test("an error does not repeat the arguments of a command, which may be a password")
    func secrets() {
        let error = RedisServerError("ERR unknown command 'AUTH', with args beginning with: 'gateway' 'hunter2' ")
        #expect(error.description == "ERR unknown command 'AUTH'")
    }

    @Test("sent bytes are counted, so that it is known which commands the server may have seen")
    func outgoing() {
        var outgoing = Outgoing()
        outgoing.append { $0 += [1, 2, 3] }
        #expect(outgoing.end == 3)
        #expect(outgoing.piece?.bytes == [1, 2, 3])
        outgoing.append { $0 += [4, 5] }
        outgoing.wrote(2)
        #expect(outgoing.written == 2 && outgoing.end == 5)
        #expect(outgoing.piece.map { Array($0.bytes[$0.offset...]) } == [3], "what was begun comes again as it was")
        outgoing.wrote(1)
        #expect(outgoing.piece?.bytes == [4, 5])
        outgoing.wrote(2)
        #expect(outgoing.piece == nil)
        #expect(outgoing.written == 5 && outgoing.end == 5)
    }

    @Test("a server that is gone is asked less and less often, and one that ends each connection as well")
    func backoff() {
        func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: 1_000_000_000) + .milliseconds(milliseconds) }
        var backoff = Backoff()
        let pauses = (0..<8).map { _ in
            backoff.failed(at: at(0), jitter: .zero)
            return backoff.earliest - at(0)
        }
        #expect(pauses == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
        backoff.succeeded(at: at(10_000))
        #expect(backoff.earliest == at(10_000))
        backoff.succeeded(at: at(10_010))
        #expect(backoff.earliest == at(10_060))
        backoff.succeeded(at: at(20_000))
        #expect(backoff.earliest == at(20_000))
    }
}

@Suite("Errors of Redis") struct RedisServerErrorTests {
    @Test(
        "an error is known by its first word, also behind the words of a script's error before version 7",
        arguments: [
            ("READONLY You can't write against a read only replica.", .readOnly), ("LOADING disk", .loading),
            ("OOM command not allowed when used memory > 'maxmemory'.", .outOfMemory),
            ("MASTERDOWN Link with MASTER is down", .masterDown),
            ("NOREPLICAS Not enough good replicas", .tooFewReplicas),
            ("ERR Error running script (call to f_1f): @user_script:1: -READONLY You can't write", .readOnly),
            ("ERR Error running script (call to f_1f): @user_script:1: @user_script: 1: -OOM command", .outOfMemory),
            ("ERR Error running script (call to f_1f): user_script:1: attempt to index nil", .other),
            ("ERR value: -READONLY is what somebody wrote", .other), ("", .other),
        ] as [(String, RedisServerError.Kind)])
    func kinds(text: String, kind: RedisServerError.Kind) {
        #expect(RedisServerError(text).kind == kind)
    }

    @Test("the words are one line of bounded length, without what a command had for arguments")
    func words() {
        let long = RedisServerError("ERR \(String(repeating: "a\r\nb", count: 1000))").description
        #expect(long.unicodeScalars.count == 200 && !long.unicodeScalars.contains { $0.value < 32 })
        let unknown = RedisServerError("ERR unknown command 'AUTHX', with args beginning with: 'secret'").description
        #expect(unknown == "ERR unknown command 'AUTHX'")
    }
}
