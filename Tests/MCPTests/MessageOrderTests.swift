import Testing

@testable import SwitchyardMCP

struct MessageOrderTests {
    private static let initialize = #"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#
    private static let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#

    private func call(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call"}"# }

    private func take(_ text: String, _ order: inout MessageOrder) throws -> [Int] {
        order.take(try MCPMessage(line: Array(text.utf8))).map(\.number)
    }

    @Test func requestsGoSideBySide() throws {
        var order = MessageOrder()
        #expect(try take(call(1), &order) == [1])
        #expect(try take(call(2), &order) == [2])
    }

    @Test func whatFollowsInitializeWaitsForItsAnswer() throws {
        var order = MessageOrder()
        #expect(try take(Self.initialize, &order) == [1])
        #expect(try take(Self.notification, &order) == [])
        #expect(try take(call(1), &order) == [])
        #expect(order.finish(1).map(\.number) == [2])
        #expect(order.finish(1).isEmpty)
        #expect(order.finish(2).map(\.number) == [3])
    }

    @Test func aRequestThatWaitsCanBeRemoved() throws {
        var order = MessageOrder()
        _ = try take(Self.initialize, &order)
        _ = try take(call(5), &order)
        let id = try #require(MessageID(5))
        #expect(order.has(id))
        #expect(order.remove(id))
        #expect(!order.remove(id))
        #expect(order.finish(1).isEmpty)
    }
}
