import SwitchyardJSON
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
        let (first, second) = (try take(call(1), &order), try take(call(2), &order))
        #expect(first == [1] && second == [2])
    }

    @Test func whatFollowsInitializeWaitsForItsAnswer() throws {
        var order = MessageOrder()
        let begun = try take(Self.initialize, &order)
        let waiting = try take(Self.notification, &order) + take(call(1), &order)
        #expect(begun == [1] && waiting == [])
        let (first, again, second) = (order.finish(1), order.finish(1), order.finish(2))
        #expect(first.map(\.number) == [2])
        #expect(again.isEmpty)
        #expect(second.map(\.number) == [3])
    }

    @Test func aRequestThatWaitsCanBeRemoved() throws {
        var order = MessageOrder()
        _ = try take(Self.initialize, &order)
        _ = try take(call(5), &order)
        let id = try #require(MessageID(5))
        #expect(order.has(id))
        let (isRemoved, isRemovedAgain, rest) = (order.remove(id), order.remove(id), order.finish(1))
        #expect(isRemoved && !isRemovedAgain)
        #expect(rest.isEmpty)
    }
}
