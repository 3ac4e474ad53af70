internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppDecoder {
    /// The policy that was written, or the default one; nil when it is wrong, which is reported.
    func release() -> ReleasePolicy? {
        guard let node = reader[.release] else { return .code }
        return context.choice(node, ReleasePolicy.allCases.map { ($0.rawValue, $0) })
    }

    /// Where `same_device` sends the browser on to; nil with another policy, and when it is wrong, which is reported.
    func returnURI(_ release: ReleasePolicy) -> RedirectURI? {
        let remedy = "write http://127.0.0.1/path, whose port the request's return_port gives, or a scheme of the app"
        guard release == .sameDevice else {
            reader.refuse([.returnURI], because: "only release same_device sends the browser on")
            return nil
        }
        guard let node = reader[.returnURI] else {
            context.error(at: reader.mark(of: .release), "release same_device without a return_uri", remedy)
            return nil
        }
        guard let text = context.text(node, remedy) else { return nil }
        do {
            let uri = try RedirectURI(text)
            if case .https = uri.form {
                // Whoever serves that host would get the ticket, on whatever device.
                context.error(at: node.mark, "the return_uri \"\(text)\" does not stay on the device", remedy)
                return nil
            }
            return uri
        } catch {
            context.error(at: node.mark, "the return_uri \"\(text)\" \(error.message)", error.remedy)
            return nil
        }
    }

    /// Whether a callback counts only from the browser that opened the request's `start_url`.
    func requiresStart(_ redirects: [RedirectURI]?) -> Bool {
        let isRequired = reader[.requireStart].flatMap { context.choice($0, [("true", true), ("false", false)]) }
        guard isRequired == true, let redirects else { return isRequired ?? false }
        // The cookie comes with an https callback and with no other.
        checkNeedsHTTPS(redirects, at: reader.mark(of: .requireStart), "require_start") {
            "no callback to \($0) comes from a browser with its cookie"
        }
        return true
    }
}
