internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AppRules {
    /// A redirect URI that means to be one of MSAL's, but is not the one of its app: brokers would not take it, and
    /// another app of the suite may be meant. Other custom schemes are nobody's business.
    func warnAboutMSALForms() {
        for app in apps {
            let id = app.registration.id.text
            for (uri, mark) in zip(app.registration.redirectURIs, app.redirectMarks) {
                let form = MSALForm(of: uri.text, bundleID: id)
                guard [.bundleIDMismatched, .trailingText, .authHostMissing].contains(form) else { continue }
                log.warning(
                    at: app.place(mark), "the redirect URI \"\(uri)\" \(form.message ?? "")",
                    "for this app MSAL's form is \(RedirectURI.defaultURI(bundleID: id))")
            }
        }
    }
}
