internal import SwitchyardHTTPClient
internal import SwitchyardMCP
internal import SwitchyardReactor

/// One message on its way to the server, until it has its answer.
///
/// Why `@unchecked Sendable`: it is used on the thread of the bridge's loop only.
final class MCPExchange: @unchecked Sendable {
    let message: MCPMessage
    /// Whether the message is one of ours, so that the client does not see the answer.
    let isOwn: Bool
    /// The place among the client's messages.
    let number: Int
    /// Fulfilled to close the stream of the answer.
    let stop = Promise<Void>()
    var isCancelled = false
    /// The response, once it is there.
    var response: MCPMessage?

    /// Whether the tools were listed for it already.
    var hasListedTools = false
    /// The number of the token that it was sent with.
    var tokenNumber = 0
    var tries = AccessTries()
    /// The end of its wait for a sign-in; nil until it waits.
    var patience: Instant?
    /// Whether it was sent again only with the nonce that the server wants.
    var hasFreshNonce = false
    /// Whether the server has refused it, and it waits for a token.
    var waitsForToken = false
    /// Whether the client has shown the sign-in's address to the person for it.
    let hasShownSignIn: Bool
    /// Fulfilled when the server has taken a notification, or never will.
    let isSettled = Promise<Void>()
    /// Lets later messages pass a notification that the server does not answer.
    var timer: Timer?
    /// Called when the answer is there; its stream may go on. For a notification, when later messages may leave.
    var whenAnswered: (() -> Void)?

    init(_ message: MCPMessage, number: Int = 0, isOwn: Bool = false) {
        let retried = message.withoutSignInResponse
        self.message = retried ?? message
        hasShownSignIn = retried != nil
        self.isOwn = isOwn
        self.number = number
    }

    var isAnswered: Bool { response != nil }
    var isRequest: Bool { message.requestID != nil }
    /// Whether it names its revision, so that it belongs to no session.
    var isModern: Bool { message.ownRevision != nil }

    /// Whether the client may still want its answer after the end of its input. A subscription ends with the client.
    var isAwaitedAtTheEnd: Bool {
        !isAnswered && !isCancelled && message.method != "subscriptions/listen"
    }

    func cancel() {
        isCancelled = true
        stop.fulfil(())
    }
}

/// The end of a try to send a message.
enum CallEnd {
    /// It has its answer, or needs none.
    case done
    /// The client, or the end of the process, has closed it.
    case stopped
    /// For its token, or because it has none.
    case accessRefused(AccessRefusal, IncomingResponse)
    /// The server knows the session no longer.
    case sessionGone
    /// A tool's schema asks for header fields that were not sent.
    case headerMismatch
    case failed(String)
}
