import Glibc
import SwitchyardCrypto
import SwitchyardPendingRequests
import SwitchyardReactor
import SwitchyardRouting
import TestSupport
import Testing

@testable import SwitchyardHandlers

@Suite("What decides about handing over") struct HandlersTests {
    private static let list: [Handler] = [
        .socket(path: "/a"), .exec(["/b", Handler.ticketPlaceholder]), .socket(path: "/c"),
    ]

    private static func delivery(_ app: AppID = "app", reference: Reference = "r") -> Delivery {
        Delivery(app: app, reference: reference, url: Secret("https://x/?code=1"), activationToken: nil, end: .never)
    }

    @Test("a list is tried in order, and no further than the one that takes it")
    func order() async throws {
        let test = try TestLoop()
        let tried = await test.run { () -> ([Handler], Handler?) in
            var tried: [Handler] = []
            let taker = await DeliveryOrder.first(of: Self.list, until: .never) { handler in
                tried.append(handler)
                return handler.deliveryName == .exec ? .ok : .unreachable
            }
            return (tried, taker)
        }
        #expect(tried.0 == Array(Self.list.prefix(2)) && tried.1 == Self.list[1])
    }

    @Test(
        "a list in which none takes it has no taker, and nothing is tried once nobody waits", arguments: [true, false])
    func none(isOver: Bool) async throws {
        let test = try TestLoop()
        let tried = await test.run { () -> (Int, Bool) in
            var tried = 0
            let taker = await DeliveryOrder.first(of: Self.list, until: isOver ? .now() : .never) { _ in
                tried += 1
                return .timedOut
            }
            return (tried, taker == nil)
        }
        #expect(tried == (isOver ? 0 : 3, true))
    }

    @Test("a webhook's signature is that of Standard Webhooks' own example")
    func signature() throws {
        let key = try #require(Base64.decode(Array("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8)))
        let made = WebhookSignature.make(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8),
            key: Secret(key))
        #expect(made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("the code over a message is that of RFC 4231, for a short key and for one longer than a block")
    func hmac() {
        let short = HMACSHA256.code(for: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(short.prefix(4) == [0x5B, 0xDC, 0xC1, 0x46])
        let long = HMACSHA256.code(
            for: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            key: [UInt8](repeating: 0xAA, count: 131))
        #expect(long.prefix(4) == [0x60, 0xE4, 0x31, 0x59])
    }

    @Test("a webhook is tried again after twice as long each time, up to a minute, and never sooner than it asks")
    func backoff() {
        func pause(_ attempt: Int, asked: Int? = nil, chance: Double = 0.5) -> Duration {
            WebhookRetry.pause(after: attempt, asked: asked, chance: chance)
        }
        #expect((0..<4).map { pause($0) } == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(pause(6) == .seconds(60) && pause(1000) == .seconds(60))
        #expect(pause(0, chance: 0) == .milliseconds(800))
        #expect(pause(0, asked: 30) == .seconds(30) && pause(0, asked: .max) == .seconds(3600))
        #expect(pause(6, asked: -5) == .seconds(60))
    }

    @Test("a ticket counts once, and not after its end")
    func tickets() throws {
        let tickets = Tickets()
        let ticket = try #require(tickets.issue(Self.delivery(), taken: Signal()))
        #expect(tickets.use("sy-nothing") == nil)
        #expect(tickets.use(ticket)?.reference == "r")
        #expect(tickets.use(ticket) == nil)
        #expect(tickets.end(ticket))
        let other = try #require(tickets.issue(Self.delivery(), taken: Signal()))
        #expect(!tickets.end(other))
        #expect(tickets.use(other) == nil)
    }

    @Test("so many tickets are out for an app, and no more")
    func tooManyTickets() {
        let tickets = Tickets()
        let issued = (0..<Tickets.maximumPerApp + 1).map { _ in tickets.issue(Self.delivery("a"), taken: Signal()) }
        #expect(issued.compactMap(\.self).count == Tickets.maximumPerApp)
        #expect(tickets.issue(Self.delivery("b"), taken: Signal()) != nil)
    }

    @Test("a ticket that was not used keeps its place for as long as its program runs")
    func place() {
        let tickets = Tickets()
        let issued = (0..<Tickets.maximumPerApp).compactMap { _ in tickets.issue(Self.delivery("a"), taken: Signal()) }
        for ticket in issued { #expect(!tickets.end(ticket)) }
        #expect(tickets.issue(Self.delivery("a"), taken: Signal()) == nil)
        #expect(tickets.use(issued[0]) == nil)
        tickets.giveUpPlace(of: issued[0])
        #expect(tickets.issue(Self.delivery("a"), taken: Signal()) != nil)
    }

    @Test(
        "a program that does not fetch its callback is ended, and what it has begun with it",
        arguments: ["exec sleep 600", "sleep 600 & wait", "sleep 600 & exit 0"])
    func ended(work: String) async throws {
        let test = try TestLoop()
        // The program's children hold the pipe open while they run.
        let pipe = FileName.temporary
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        defer { unsafe unlink(pipe) }
        let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let loop = test.loop
        let result = await test.run { () -> DeliveryResult in
            let handlers = Handlers(loop: loop, tickets: Tickets(), gateway: nil, isStopping: { false })
            let delivery = Delivery(
                app: "a", reference: "r", url: Secret("https://x/?code=1"), activationToken: nil,
                end: .now() + .milliseconds(500))
            let result = await handlers.deliver(
                delivery, by: .exec(["/bin/sh", "-c", "exec >\(pipe); echo; \(work)", "{ticket}"]))
            // Its end is the pipe's, which the limit of time for tests watches over.
            var byte: UInt8 = 0
            var hasBegun = false
            while true {
                let count = unsafe read(reader, &byte, 1)
                if count > 0 { hasBegun = true }
                if count == 0, hasBegun { break }
                await EventLoop.sleep(until: .now() + .milliseconds(10))
            }
            return result
        }
        #expect(result == .timedOut)
    }

    @Test(
        "an app's line counts only if it says so",
        arguments: [
            (#"{"handled":true}"#, DeliveryResult.ok), (#"{"handled":true,"more":1}"#, .ok),
            (#"{"handled":false}"#, .refused), (#"{"handled":"true"}"#, .failed), ("{}", .failed), ("true", .failed),
            ("", .failed), (#"{"handled":true"#, .failed), (#"{"handled":true,"handled":false}"#, .failed),
        ] as [(String, DeliveryResult)])
    func line(text: String, result: DeliveryResult) {
        #expect(Handlers.result(of: Array(text.utf8)) == result)
    }

    @Test("a program gets what a desktop needs of the environment, and no more")
    func environment() {
        let passed = ProgramEnvironment.passed([
            "PATH=/bin", "CLIENT_SECRET=x", "LC_ALL=C", "XDG_RUNTIME_DIR=/run", "XDG_ACTIVATION_TOKEN=old",
            "LD_PRELOAD=/x", "NOTIFY_SOCKET=/n", "PATHS=/no",
        ])
        #expect(passed == ["PATH=/bin", "LC_ALL=C", "XDG_RUNTIME_DIR=/run"])
        #expect(Handlers.filled("--t={ticket}{ticket}", with: "sy-1") == "--t=sy-1sy-1")
    }

    @Test("another user listens rightly only in a folder of its own that nobody else could have made")
    func owner() {
        #expect(SocketOwner.isTrusted(0, at: "/tmp/x.sock"))
        #expect(!SocketOwner.isTrusted(54_321, at: "/tmp/x.sock"))
        #expect(!SocketOwner.isTrusted(54_321, at: "/usr/lib/x.sock"))
        #expect(!SocketOwner.isTrusted(54_321, at: "/no/such/folder/x.sock"))
        #expect(!SocketOwner.isTrusted(54_321, at: "x.sock"))
    }
}

@Suite("The memory of deliveries") struct DeliveryLedgerTests {
    private let ledger = DeliveryLedger()
    private static let capacity = DeliveryLedger.Capacity(total: 6, perApp: 4, perAddress: 3)

    private func begin(
        _ text: String, as reference: Reference? = nil, app: AppID = "app", caller: String = "1.2.3.4",
        at now: UInt64 = 0
    ) -> String {
        let answer = ledger.begin(
            SHA256Digest(of: text), reference: reference ?? "\(text)-\(now)", app: app, browser: nil, caller: caller,
            network: caller, until: Instant(nanoseconds: now + 100), now: Instant(nanoseconds: now),
            capacity: Self.capacity)
        return switch answer {
        case .new: "new"
        case .repeated(let entry): "repeated \(entry.reference)"
        case .referenceInUse: "in use"
        case .full(let limit): "full \(limit)"
        }
    }

    @Test("the same one is repeated while it is under way and once it was taken, and new once it is forgotten")
    func repeated() {
        #expect(begin("a") == "new")
        #expect(begin("a", at: 1) == "repeated \("a-0" as Reference)")
        ledger.end("a-0", .taken)
        #expect(begin("a", at: 99) == "repeated \("a-0" as Reference)")
        #expect(begin("a", at: 100) == "new")
    }

    @Test("a callback that no handler took may be tried again, and its page stays")
    func again() {
        #expect(begin("a") == "new")
        ledger.end("a-0", .notTaken)
        #expect(begin("a", at: 1) == "new")
        #expect(ledger.entry("a-0", now: Instant(nanoseconds: 2))?.outcome == .notTaken)
        #expect(ledger.entry("a-1", now: Instant(nanoseconds: 2))?.outcome == .underWay)
        #expect(ledger.entry("a-0", now: Instant(nanoseconds: 100)) == nil)
    }

    @Test("another callback takes a reference only from one that no handler took, and replaces it")
    func references() {
        #expect(begin("a", as: "r") == "new")
        #expect(begin("b", as: "r") == "in use")
        ledger.end("r", .notTaken)
        for time in 1...5 {
            #expect(begin("b", as: "r", at: UInt64(time)) == "new", "and it takes up no more room than the one before")
            ledger.end("r", .notTaken)
        }
        #expect(begin("b", as: "r", at: 6) == "new")
        ledger.end("r", .taken)
        #expect(begin("c", as: "r", at: 7) == "in use")
        #expect(ledger.entry("r", now: Instant(nanoseconds: 101))?.outcome == .taken)
        #expect(begin("c", as: "r", at: 106) == "new")
    }

    @Test("the outcome of a delivery is reported once")
    func once() {
        #expect(begin("a") == "new")
        ledger.end("a-0", .taken)
        ledger.end("a-0", .notTaken)
        #expect(ledger.entry("a-0", now: Instant(nanoseconds: 1))?.outcome == .taken)
    }

    @Test("a callback that was left to the last entry is recognized, unless that entry did not take it either")
    func last() {
        #expect(begin("a") == "new")
        ledger.end("a-0", .leftToLast)
        ledger.end("a-0", .taken)
        #expect(ledger.entry("a-0", now: Instant(nanoseconds: 1))?.outcome == .leftToLast)
        #expect(begin("a", at: 1) == "repeated \("a-0" as Reference)")
        ledger.end("a-0", .notTaken)
        #expect(begin("a", at: 2) == "new")
    }

    @Test("one that turned out to be another gateway's leaves no trace, and takes no room")
    func forgotten() {
        for name in ["a", "b", "c"] {
            #expect(begin(name) == "new")
            ledger.forget("\(name)-0")
        }
        for name in ["a", "b", "c"] { #expect(begin(name, at: 1) == "new") }
        #expect(begin("d", at: 1) == "full perAddress")
        for name in ["a", "b", "c"] { ledger.end("\(name)-1", .taken) }
        #expect(begin("d", at: 200) == "new", "those that are gone hold up none behind them")
    }

    @Test("there is room for so many of an address, of an app, and of all, until they are forgotten")
    func limits() {
        for name in ["a", "b", "c"] { #expect(begin(name) == "new") }
        #expect(begin("d") == "full perAddress")
        #expect(begin("d", caller: "2.2.2.2") == "new")
        #expect(begin("e", caller: "2.2.2.2") == "full perApp")
        #expect(begin("e", app: "other", caller: "2.2.2.2") == "new")
        #expect(begin("f", app: "other", caller: "3.3.3.3") == "new")
        #expect(begin("g", app: "third", caller: "4.4.4.4") == "full total")
        for name in ["a", "b", "c", "d", "e", "f"] { ledger.end("\(name)-0", .taken) }
        #expect(begin("g", app: "third", caller: "4.4.4.4", at: 99) == "full total")
        for name in ["h", "i", "j"] { #expect(begin(name, at: 200) == "new") }
    }

    @Test("callbacks that no handler took take no room, however many came")
    func missed() {
        for number in 0..<20 {
            #expect(begin("\(number)") == "new")
            ledger.end("\(number)-0", .notTaken)
        }
        #expect(begin("a") == "new")
    }

    private func begin(_ number: Int, app: AppID = "app", network: String) -> Bool {
        let answer = ledger.begin(
            SHA256Digest(of: "\(network) \(number)"), reference: "\(network)-\(number)", app: app, browser: nil,
            caller: "\(network)-\(number % 7)", network: network, until: .never, now: Instant(nanoseconds: 0),
            capacity: DeliveryLedger.Capacity(total: 9999, perApp: 9999, perAddress: 9999))
        return if case .new = answer { true } else { false }
    }

    @Test(
        "those on their way for the first time are counted by networks, and those that are tried again hold up none of them"
    )
    func setBack() {
        let most = DeliveryLedger.underWay.perAddress
        for number in 0..<most { #expect(begin(number, network: "n")) }
        #expect(!begin(most, network: "n"))
        for number in 0..<most { ledger.setBack("n-\(number)") }
        for number in most..<2 * most { #expect(begin(number, network: "n")) }
        #expect(!begin(2 * most, network: "n"))
        ledger.end("n-0", .taken)
        ledger.forget("n-\(most)")
        #expect(begin(2 * most + 1, network: "n"))
    }

    @Test("of too many retries, the most refused one of the network with the most retries gives way")
    func gaveWay() {
        let most = DeliveryLedger.underWay
        for network in 0..<most.perApp / most.perAddress {
            for number in 0..<most.perAddress - (network == 0 ? 1 : 0) {
                #expect(begin(number, network: "flood\(network)"))
                ledger.setBack("flood\(network)-\(number)")
            }
        }
        #expect(begin(0, network: "person"))
        ledger.setBack("person-0")
        for _ in 0..<3 { ledger.setBack("person-0") }
        ledger.setBack("flood1-5")
        #expect(begin(0, network: "other"))
        ledger.setBack("other-0")
        #expect(ledger.isGivenUp("flood1-5"))
        #expect(!ledger.isGivenUp("person-0") && !ledger.isGivenUp("other-0"))
        // Its later end does not free the place a second time.
        ledger.end("flood1-5", .notTaken)
        #expect(begin(99, network: "flood2"))
        ledger.setBack("flood2-99")
        #expect(!ledger.isGivenUp("person-0") && !ledger.isGivenUp("flood2-99"))
    }
}

/// Names of files of this run alone.
private enum FileName {
    static var temporary: String { "/tmp/switchyard-handlers-\(getpid())-\(Random.token(byteCount: 8))" }
}
