internal import SwitchyardBridge
internal import SwitchyardHTTPClient
internal import SwitchyardReactor
internal import SwitchyardText

/// `switchyard paste`: brings the address that failed to load to the tool that waits for it.
struct PasteCommand: Command {
    static let name = "paste"
    static let summary = "bring the address at which a browser elsewhere failed to the tool that waits here"
    static let options: [Option] = []
    static let help = Help(
        """
        For a machine without `switchyard ssh`: a sign-in that `switchyard browse` has printed ends, in a browser elsewhere, at \
        an address on loopback that fails to load. Copy that address, and paste it here. It is checked against the sign-in \
        that was begun here (port, path and state), and goes to the tool only. A service that answers with a form \
        (`response_mode=form_post`) leaves no such address: then it cannot help.
        """,
        exits: [
            .done: "the tool has the address", .failed: "it belongs to no sign-in of this machine",
            .usage: "wrong usage",
        ],
        examples: ["switchyard paste"])

    init(_ options: Options) throws {}

    func run() throws -> ExitStatus {
        Terminal.ask("Paste the address of the page that failed to load: ")
        guard let line = PastedLine.read() else { throw CommandError("no address was given") }
        let recorded = RecordedSignIns(FarPaths.recorded ?? "", now: WallTime.now().seconds)
        let (address, target): (SignInAddress, String)
        do throws(PasteError) {
            (address, target) = try recorded.match(String(line.filter { !$0.isWhitespace }))
        } catch {
            throw CommandError(error.words, hint: error.hint)
        }
        let status = try runToEnd { await Self.deliver(target, to: address.redirectURI) }
        guard let status else {
            throw CommandError(
                "the tool no longer listens on port \(address.redirectURI.port)", hint: "start the sign-in again"
            )
        }
        _ = FarPaths.record { $0.remove(address) }
        Terminal.note("The tool has it (it answered with status \(status)). Go back to it to see how it went.")
        return .done
    }

    /// - Returns: the status of the tool's answer; nil without a listener.
    private static func deliver(_ target: String, to endpoint: LoopbackEndpoint) async -> Int? {
        for host in endpoint.addresses {
            let authority = host.contains(":") ? "[\(host)]" : host
            let request = OutgoingRequest(
                .get, "http://\(authority):\(endpoint.port)\(target)", headers: [("Host", endpoint.authority)],
                timeout: .seconds(60), allowsPlainHTTP: true, isSentOnce: true)
            do throws(TransferError) {
                return try await HTTPClient(loop: .required).send(request).status
            } catch {
                // A callback that the tool may have received is not sent again.
                if error.wasSent { return 0 }
            }
        }
        return nil
    }
}
