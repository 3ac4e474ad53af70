import SwitchyardJSON
import Testing

@testable import SwitchyardMCP

struct MCPMessageTests {
    private func kind(_ text: String) throws -> MCPMessage.Kind { try MCPMessage(line: Array(text.utf8)).kind }

    private func findFault(_ text: String) -> MessageError? {
        do throws(MessageError) {
            _ = try MCPMessage(line: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func kindsAreTold() throws {
        let one = try #require(MessageID(1))
        #expect(try kind(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#) == .request(one, method: "a"))
        #expect(try kind(#"{"jsonrpc":"2.0","method":"a","params":{}}"#) == .notification(method: "a"))
        #expect(try kind(#"{"jsonrpc":"2.0","id":1,"result":{}}"#) == .response(one))
        #expect(try kind(#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#) == .response(one))
        #expect(try kind(#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#) == .anonymousError)
        #expect(MessageID("1") != one)
    }

    @Test(arguments: [
        "[]", "1", #"{"id":1,"method":"a"}"#, #"{"jsonrpc":"1.0","id":1,"method":"a"}"#, #"{"jsonrpc":"2.0","id":1}"#,
        #"{"jsonrpc":"2.0","id":null,"method":"a"}"#, #"{"jsonrpc":"2.0","id":{},"method":"a"}"#,
        #"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":7}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, #"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        #"{"jsonrpc":"2.0","result":{}}"#,
    ])
    func jsonThatIsNoMessageIsRefused(_ text: String) throws {
        let fault = try #require(findFault(text))
        guard case .noMessage = fault else {
            Issue.record("\(fault)")
            return
        }
        let answer = try #require(try JSONValue.parse(fault.line).object)
        #expect(answer["error"]?.object?["code"] == -32600)
    }

    @Test(arguments: ["{", "hello", "", #"{"jsonrpc":"2.0","jsonrpc":"2.0"}"#, "\u{FEFF}{}", "{} {}"])
    func otherTextIsAParseError(_ text: String) throws {
        let fault = try #require(findFault(text))
        let answer = try #require(try JSONValue.parse(fault.line).object)
        #expect(answer["error"]?.object?["code"] == -32700)
        #expect(answer["id"] == .null)
    }

    @Test func theIdOfAFaultyMessageComesBack() throws {
        let fault = try #require(findFault(#"{"jsonrpc":"2.0","id":"x","method":7}"#))
        #expect(try JSONValue.parse(fault.line).object?["id"] == "x")
    }

    @Test func lineEndsOfAnAnswerBecomeBlanks() throws {
        let text = "{\n \"jsonrpc\":\"2.0\",\r\n\"id\":1,\"result\":{\"a\":\"\\n\"}}"
        let message = try MCPMessage(answer: Array(text.utf8))
        #expect(message.bytes.count == text.utf8.count)
        let wanted = "{  \"jsonrpc\":\"2.0\",  \"id\":1,\"result\":{\"a\":\"\\n\"}}"
        #expect(String(decoding: message.bytes, as: UTF8.self) == wanted)
    }

    @Test func twoMessagesInOneAnswerAreNone() {
        let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"
        #expect(throws: MessageError.self) { try MCPMessage(answer: Array(text.utf8)) }
    }
}

struct LineSplitterTests {
    @Test func linesAreFoundWhereverTheyAreCut() {
        let text = "{\"a\":1}\n\n  \r\n{\"b\":2}\r\nrest"
        let whole: [LineSplitter.Line] = [
            .line(Array("{\"a\":1}".utf8)), .line(Array("{\"b\":2}".utf8)), .line(Array("rest".utf8)),
        ]
        for size in 1...text.utf8.count {
            var splitter = LineSplitter(maximum: 100)
            var lines: [LineSplitter.Line] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                lines += splitter.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(lines + splitter.finish() == whole)
        }
    }

    @Test func aLineThatIsTooLongIsTold() {
        var splitter = LineSplitter(maximum: 4)
        let lines = splitter.take(Array("12345\n1234\n".utf8)[...])
        #expect(lines == [.tooLong, .line(Array("1234".utf8))])
    }
}
