internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The keys of an app that say what happens to its tokens.
enum TokenHandlingKeys {
    static let all: [AppKey] = [.userInfo]
}

extension AppDecoder {
    /// nil when something in it is wrong, which is reported.
    /// - Parameter scope: the app's default scope; nil without one.
    func tokenHandling(_ scope: Scopes?) -> TokenHandling? {
        let errors = context.log.errorCount
        var handling = TokenHandling.standard
        if let node = reader[.userInfo] {
            handling.fetchesUserInfo = context.choice(node, [("true", true), ("false", false)]) ?? false
            if handling.fetchesUserInfo, let scope, !scope.contains("openid") {
                context.error(
                    at: node.mark, "userinfo, although default_scope lacks openid",
                    "add openid to default_scope: the claims must be those of the person in the ID token")
            }
        }
        return context.log.errorCount == errors ? handling : nil
    }
}
