/// The test server's answer to a request.
enum Reply: Sendable {
    case answer(status: Int, headers: [(String, String)] = [], body: String)
    /// Answers with JSON and keeps the connection open.
    static func json(_ body: String, status: Int = 200, _ headers: [(String, String)] = []) -> Reply {
        .answer(status: status, headers: [("Content-Type", "application/json")] + headers, body: body)
    }
    /// Answers, and closes the connection without having said that it will.
    case answerThenClose(body: String)
    /// Answers with a compressed JSON.
    case packed([UInt8], encoding: String)
    /// Sends these bytes and closes.
    case raw(String)
    /// Promises an answer, and sends its content byte by byte without end.
    case drip
    /// Sends content without end, as fast as it is taken.
    case flood
    /// Closes without a word.
    case close
    /// Closes with a reset.
    case reset
}
