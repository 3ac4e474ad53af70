import Glibc
import SwitchyardReactor
import Synchronization
import Testing

@testable import SwitchyardLifecycle

@Suite("The service manager and the successor") struct LifecycleTests {
    @Test("a message has the manager's words, and no value can add a line")
    func words() {
        #expect(ServiceManager.News.ready.text == "READY=1")
        #expect(ServiceManager.News.mainProcess(42).text == "MAINPID=42")
        #expect(ServiceManager.News.status("one\nMAINPID=1").text == "STATUS=one MAINPID=1")
        #expect(ServiceManager.News.reloading.text.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    }

    @Test(
        "what gateways say to each other is read as it was said",
        arguments: [.prepared, .go, .ready, .taken, .failed("for a reason")] as [SuccessionMessage])
    func messages(message: SuccessionMessage) {
        #expect(SuccessionMessage(message.text) == message)
        #expect(SuccessionMessage(message.text + "?") != message)
    }

    @Test("a loop that hangs is noticed, and one that goes on is well again")
    func pulse() async throws {
        let group = try EventLoopGroup(count: 2)
        try group.start()
        defer { group.stop() }
        let pulse = LoopPulse(group.loops)
        #expect(pulse.isBeating())
        while !pulse.isBeating() { usleep(1000) }
        let mayGoOn = Mutex(false)
        let hangs = Mutex(false)
        group.loops[1].execute {
            hangs.withLock { $0 = true }
            while !mayGoOn.withLock(\.self) { usleep(1000) }
        }
        while !hangs.withLock(\.self) { usleep(1000) }
        // The answers from before may still come in, and no later one of the second loop does. The first goes on, so it
        // is waited for until it has given what it was asked for.
        for _ in 0..<2 {
            _ = pulse.isBeating()
            await group.loops[0].start {}.value
        }
        for _ in 0..<20 {
            #expect(!pulse.isBeating())
            usleep(1000)
        }
        mayGoOn.withLock { $0 = true }
        while !pulse.isBeating() { usleep(1000) }
    }

    @Test("a socket is inherited by its address, and by one listener only")
    func inherited() throws {
        let first = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        let copy = dup(first.descriptor)
        let sockets = InheritedSockets([try InheritedSocket(copy, isOurs: false)])
        #expect(sockets.remaining.map(\.description) == ["127.0.0.1:\(first.port)"])
        let address = ListenAddress.tcp(host: "127.0.0.1", port: first.port)
        let second = try ListeningSocket(address, from: sockets)
        #expect(second.descriptor == copy && second.port == first.port)
        #expect(sockets.remaining.isEmpty)
        // No socket is left for another listener, which then finds the port taken.
        #expect(throws: SystemError.self) { try ListeningSocket(address, from: sockets) }
        withExtendedLifetime((first, second)) {}
    }

    @Test("a socket that does not listen is not inherited")
    func noListener() {
        let plain = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(plain) }
        #expect(throws: SystemError.self) { try InheritedSocket(plain, isOurs: false) }
        #expect(throws: SystemError.self) { try InheritedSocket(9999, isOurs: false) }
    }
}
