internal import Glibc
internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardReactor
internal import SwitchyardTLS

/// `switchyard issuer`: the demo's identity provider, by itself.
struct IssuerCommand: Command {
    static let name = "issuer"
    static let summary = "run the demo identity provider, on loopback only"
    static let options: [Option] = [
        .value("listen"), .value("tls-certificate"), .value("tls-key"), .value("client"), .flag("auto-approve"),
    ]
    static let help = """
        Runs the small OpenID provider that the demo and the tests use. It signs in anybody, so it refuses to run on
        anything but loopback.

        Usage: switchyard issuer --listen ADDRESS:PORT [--tls-certificate FILE --tls-key FILE] [--client ID:SECRET]
                                 [--auto-approve]

        Options:
          --listen ADDRESS:PORT   where it listens; port 0 chooses a free one
          --tls-certificate FILE  PEM; with --tls-key, the issuer speaks https
          --tls-key FILE          PEM
          --client ID:SECRET      a confidential client; every other client is public
          --auto-approve          sign in without asking (for benchmarks)
          --help                  show this text

        It misbehaves on request: a scope such as `demo:slow` or a parameter `demo=wrong_nonce,expires_in=60` of the
        authorization request, or of a token request, for that one. Names, by where they show:
        \(misbehaviors)

        A POST to /demo/control changes keys (keys=rotate, replace, same_kid or withhold) and makes endpoints
        unreachable (outage=discovery,jwks,authorization,token,userinfo,api,native, or none). GET /demo/stats counts
        requests, and with ?code= the requests that brought this code, with ?client= the token requests of this client
        by grant type.

        More for /demo/control:
          client=ID family=1         puts a client into a family that shares refresh tokens (none takes it out)
          client=ID preconsent=*     lets it refresh for any scope, or for those that are named
          token=answer               answers the next token request of client=ID, or of everybody, as these say:
            times=3 grant_type=refresh_token             for how many requests, and for which
            error=invalid_grant error_description= suberror= error_codes=50173,70008 claims= status=400
            status=503 retry_after=7                     no JSON; or retry_after_date=SECONDS from now
            delay=MILLISECONDS cut=1                     late, or not at all
            challenge_type=redirect                      native authentication has to go on in a browser
            demo=no_refresh_token,refresh_in=60          misbehaviors; the request takes its course
          token=forget               forgets such answers, of client=ID or all
          api=mail api_claims=JSON   lets /api/mail take only tokens that were asked for with these claims (none for
                                     any); its challenge has them as api_form= base64, base64url or json

        Besides its plain addresses it has those of
          Entra ID    /{tenant}/v2.0, where the tenant is common, organizations, consumers, a GUID or a domain
          Azure B2C   /tfp/{tenant}/{policy}/v2.0, named after another address
          AD FS       /adfs
        and protected APIs: /api/mail takes access tokens with a scope such as api://mail/read or mail.read.

        Below /{tenant}/oauth2/v2.0 of one tenant there is native authentication: initiate, challenge, introspect, and
        token with password, oob, mfa_oob and continuation_token. A username such as mfa-7@example.com says what its
        owner has: password, code, mfa, redirect or reset. The password is Demo-password-1. /demo/control answers with
        the latest code that was sent (mailbox=USERNAME) and the continuation token of who has just signed up
        (client=ID continue_as=USERNAME); grant_type= knows initiate, challenge and introspect too.

        Example:
          switchyard issuer --listen 127.0.0.1:9400
        """

    /// The names of all misbehaviors, in lines that fit a terminal.
    private static var misbehaviors: String {
        DemoIssuer.misbehaviors.map { place, names in
            var lines = ["  \(place):"]
            for name in names {
                let line = "\(lines[lines.count - 1]) \(name)"
                if line.utf8.count > 110 {
                    lines.append("    \(name)")
                } else {
                    lines[lines.count - 1] = line
                }
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private let configuration: DemoIssuerConfiguration

    init(_ options: Options) throws {
        let listen = try options.required("listen")
        guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
            throw UsageError(message: "\"\(listen)\" is no ADDRESS:PORT")
        }
        let host = listen[..<colon].filter { $0 != "[" && $0 != "]" }
        var tls: ServerContext?
        switch (options["tls-certificate"], options["tls-key"]) {
        case (let certificate?, let key?):
            tls = try ServerContext(
                identities: [ServerIdentity(certificateChain: certificate, privateKey: key)],
                protocols: ServerContext.http1)
        case (nil, nil): break
        default: throw UsageError(message: "--tls-certificate and --tls-key belong together")
        }
        var configuration = DemoIssuerConfiguration(address: .tcp(host: host, port: port), tls: tls)
        configuration.autoApprove = options.has("auto-approve")
        if let client = options["client"] {
            let parts = client.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError(message: "--client takes ID:SECRET") }
            configuration.clients = [DemoClient(id: parts[0], secret: Secret(parts[1]))]
        }
        self.configuration = configuration
    }

    func run() throws -> ExitStatus {
        let signals = SignalSet([SIGTERM, SIGINT])
        let group = try EventLoopGroup()
        group.start()
        let issuer = try DemoIssuer(configuration)
        _ = try issuer.start(on: group)
        Terminal.note("issuer \(issuer.issuer)")
        _ = signals.next()
        try runToEnd { await issuer.stop(grace: .seconds(2)) }
        return .done
    }
}
