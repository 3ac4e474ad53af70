internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardJSON
internal import SwitchyardRouting

/// `POST /v1/tickets`: the callback for a ticket that a program was started with.
struct TicketEndpoint: Sendable {
    let exchange: Exchange

    func redeem() throws(APIError) -> Response {
        if let seconds = exchange.limit(by: exchange.setup.collectLimiter) {
            throw APIError.tooMany("too many calls from here", .collectRate, retryAfter: seconds)
        }
        // Other users of this machine see in the list of processes what a program was started with.
        guard exchange.caller.uid == geteuid() else {
            throw APIError(
                .forbidden, "access_denied", "tickets are for programs of this gateway's own user, on its Unix socket")
        }
        let content = try JSONContent(of: exchange.request, known: ["ticket"])
        let ticket = try content.requiredText("ticket", maximum: 128)
        guard let delivery = exchange.core.tickets.use(ticket) else {
            throw APIError(.notFound, "not_found", "there is no such ticket, it was used, or its time is over")
        }
        return Response.json(
            .ok,
            [
                "app": .string(delivery.app.text), "reference": .string("\(delivery.reference)"),
                "url": .string(delivery.url.exposedText),
            ])
    }
}
