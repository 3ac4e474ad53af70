internal import SwitchyardBridge
internal import SwitchyardReactor

/// The way back: callbacks from the person's browser, and the answers of the tools on the far machine.
extension BridgeDesk {
    var consentAuthority: String? { consent.map { "127.0.0.1:\($0.port)" } }

    /// Whether the peer on the consent page is the person's own browser.
    func isPersons(_ peer: Peer) -> Bool { consent.map { LoopbackPeer.isOwnUser(peer, at: $0.port) } ?? false }

    func signIn(token: String) -> DeskSignIn? {
        ports.values.lazy.flatMap(\.signIns).first { $0.token == token }
    }

    /// Sends a callback to its tool, and returns the tool's answer.
    func pass(_ request: ArrivedRequest, port: UInt16) async throws(WayBackRefusal) -> SievedResponse {
        guard let here = ports[port]?.signIns else {
            throw endings[port] == .delivered ? .refused(.repeated) : .over
        }
        var lives = here.map(\.life)
        let (index, forTool): (Int, ToolRequest)
        do throws(SieveRefusal) {
            (index, forTool) = try CallbackSieve.take(request, among: &lives)
        } catch {
            throw .refused(error)
        }
        let signIn = here[index]
        signIn.life = lives[index]
        if let page = signIn.page {
            signIn.page = nil
            await end(signIn, .delivered)
            return page
        }
        let address = signIn.life.address
        let answer: ToolResponse
        do throws(ExchangeError) {
            answer = try await send(forTool)
        } catch {
            switch error {
            case .unusableResponse: throw await noPage(of: signIn)
            case .notConnected:
                await end(signIn, .toolGone)
                say(
                    error.isForbidden
                        ? "the sign-in came back, but the ssh server of \(host) forbids to reach port \(port) there: it needs "
                            + "\"AllowTcpForwarding local\" and a PermitOpen that allows it"
                        : "the sign-in came back, but the program on \(host) no longer listens on port \(port): start it again"
                )
                throw .toolGone
            }
        }
        guard let sieved = ResponseSieve.sieve(answer, from: address) else { throw await noPage(of: signIn) }
        if signIn.life.phase == .delivering, !forTool.isPost, request.namesItsMode, sieved.isPage {
            return showLater(sieved, of: signIn)
        }
        signIn.life.answered(sendingTo: sieved.nextPage)
        if signIn.life.isOver {
            await end(signIn, .delivered)
            mention("the sign-in was passed on to \(host)")
        } else {
            signIn.expiry?.cancel()
            signIn.expiry = loop.schedule(at: Instant.now() + Self.pageLife) { [self] in
                loop.start { await self.end(signIn, .expired) }
            }
        }
        return sieved
    }

    /// Keeps the tool's page for an address without a code, and sends the browser there.
    private func showLater(_ page: SievedResponse, of signIn: DeskSignIn) -> SievedResponse {
        let moving = SievedResponse.movingOn(from: signIn.life.address)
        signIn.page = page
        signIn.life.answered(sendingTo: moving.nextPage)
        mention("the sign-in was passed on to \(host)")
        signIn.expiry?.cancel()
        signIn.expiry = loop.schedule(at: Instant.now() + Self.pageLife) { [self] in
            loop.start { await self.end(signIn, .delivered) }
        }
        return moving
    }

    /// The tool has the callback, but its answer cannot be shown.
    private func noPage(of signIn: DeskSignIn) async -> WayBackRefusal {
        await end(signIn, .delivered)
        mention("the sign-in was passed on to \(host)")
        return .unusableResponse
    }

    /// Sends a request to the tool on the far machine, and returns its response. Uses the first of its addresses that
    /// accepts a connection.
    func send(_ request: ToolRequest) async throws(ExchangeError) -> ToolResponse {
        var failure = ExchangeError.notConnected(reason: nil)
        for address in request.endpoint.addresses {
            do throws(ExchangeError) {
                return try await ToolExchange(link: link, client: client).send(request, to: address)
            } catch {
                failure = error
                guard case .notConnected = error else { break }
            }
        }
        throw failure
    }
}
