internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The rules for apps that stand for tools with a settable redirect URI: `issuer: any`, and redirect URIs that end with `*`.
extension AppDecoder {
    /// Whether the app takes callbacks of any issuer.
    var takesAnyIssuer: Bool { reader[.issuer]?.scalar == AppRegistration.anyIssuer }

    /// With any issuer the gateway only brings the callback to the program that began: it knows no client and no issuer.
    func checkAnyIssuer(_ handlers: HandlerList?, _ policy: Policy?) {
        guard takesAnyIssuer else { return }
        reader.refuse(
            [
                .clientSecret, .clientSecretFile, .tokenEndpointAuthMethod, .defaultScope, .tenants, .requireStart,
                .par,
                .gateway, .dpop,
            ] + TokenHandlingKeys.all,
            because: "with issuer any the tool itself composes its request and redeems the code")
        if reader[.clientID]?.scalar == "hosted" {
            context.error(
                at: reader.mark(of: .clientID), "client_id hosted with issuer any",
                "leave it out, or serve the tool's document by clients:")
        }
        if let handlers, handlers != [.pending] {
            context.error(
                at: reader.mark(of: .handler), "issuer any with another handler than pending",
                "leave the handler out: the callback waits for the program that began, and for its release")
        }
        if let policy, policy.release == .none {
            context.error(
                at: reader.mark(of: .release), "issuer any with release none",
                "write release: code; without a release, the sender of a sign-in link gets the callback of its victim"
            )
        }
        if let policy, policy.responseMode.isSigned {
            context.error(
                at: reader.mark(of: .responseMode),
                "issuer any with response_mode \(policy.responseMode.rawValue), which takes the keys of one issuer",
                "write query, form_post or fragment")
        }
    }

    /// A pattern takes its meaning from the request, which names the exact URI.
    func checkPatterns(_ uris: [RedirectURI]?, _ handlers: HandlerList?) {
        guard let pattern = uris?.first(where: \.isPattern) else { return }
        if let handlers, !handlers.holdsRequests || !handlers.deliveries.isEmpty {
            context.error(
                at: reader.mark(of: .handler),
                "the redirect URI \"\(pattern)\" with a handler that takes callbacks without a request",
                "use handler pending, whose requests name the exact URI, or list each URI on its own")
        }
        if reader[.clientID]?.scalar == "hosted" {
            context.error(
                at: reader.mark(of: .clientID), "client_id hosted with the redirect URI \"\(pattern)\"",
                "list each URI on its own: issuers compare those of a document exactly")
        }
    }
}
