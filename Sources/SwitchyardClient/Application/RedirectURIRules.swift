internal import SwitchyardDesktop
internal import SwitchyardOAuth

/// The rules for an app's redirect URI. MSAL calls a failure `redirectURIError`.
enum RedirectURIRules {
    /// - Throws: `invalidConfiguration` / `invalidRedirectURI` with the exact reason and the remedy.
    static func checked(_ text: String, bundleID: String) throws(AuthenticationError) -> RedirectURI {
        let uri: RedirectURI
        do throws(RedirectURIError) {
            uri = try RedirectURI(text)
        } catch {
            throw refusal("\(error): \(error.remedy)")
        }
        // A misspelled redirect URI of MSAL's form. The desktop would never call this app with it.
        let form = MSALForm(of: text, bundleID: bundleID)
        switch form {
        case .bundleIDMismatched, .trailingText, .authHostMissing:
            throw refusal(
                "redirect URI \"\(text)\" \(form.message ?? ""): "
                    + "write \(RedirectURI.defaultURI(bundleID: bundleID)), or a scheme that does not begin with msauth"
            )
        default: return uri
        }
    }

    /// Whether some program of this desktop is called for the scheme, as MSAL asks of `CFBundleURLSchemes`. Whichever
    /// it is: an app may take its callbacks itself, or have `switchyard open` do so.
    /// - Throws: `invalidConfiguration` / `redirectSchemeNotRegistered`. Blocks on the disk.
    static func checkRegistered(_ uri: RedirectURI?, bundleID: String) throws(AuthenticationError) {
        guard let uri, case .customScheme(let text, _) = uri.form else { return }
        if let scheme = try? URLScheme(text), SchemeLookup.ofPerson.owner(of: scheme) != nil { return }
        throw AuthenticationError(
            .invalidConfiguration, .redirectSchemeNotRegistered,
            "the scheme \(text) of the redirect URI \(uri) is not registered on this desktop, so callbacks would go nowhere: "
                + "switchyard register --id \(bundleID) --scheme \(text)")
    }

    private static func refusal(_ message: String) -> AuthenticationError {
        AuthenticationError(.invalidConfiguration, .invalidRedirectURI, message)
    }
}
