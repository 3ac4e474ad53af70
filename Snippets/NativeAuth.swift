//! Sign-in on the app's own pages, step by step: password, code, second factor, and the browser where the issuer wants it.
//!
//! For Entra External ID, whose administrators allow it for an app.

import Glibc
import SwitchyardClient

func ask(_ question: String) -> String {
    print(question)
    // Show the line at once, also in a pipe.
    fflush(nil)
    return readLine() ?? ""
}

// snippet.steps
/// Goes on until the person has signed in.
func finish(
    _ signIn: NativeSignIn, scopes: [String], in application: PublicClientApplication
) async throws(AuthenticationError) -> Account {
    if let account = signIn.completed { return account.account }
    if let step = signIn.codeRequired {
        print("A code was sent to \(step.sentTo ?? "you").")
        return try await finish(try await submit(to: step), scopes: scopes, in: application)
    }
    if let step = signIn.mfaRequired {
        for (number, method) in step.methods.enumerated() { print("\(number): \(method.hint ?? method.id)") }
        let number = Int(ask("Where shall the second code go?")) ?? 0
        let method = step.methods.indices.contains(number) ? step.methods[number] : nil
        return try await finish(try await step.requestChallenge(method), scopes: scopes, in: application)
    }
    var parameters = InteractiveTokenParameters(scopes: scopes)
    parameters.presentation = .standardError
    if let step = signIn.browserRequired {
        print(step.reason ?? "The issuer wants to see you itself.")
        return try await step.signIn(with: parameters).account
    }
    // A step that this app does not know: the browser can do everything.
    return try await application.acquireToken(with: parameters).account
}

/// A wrong code ends nothing: it is asked for again.
func submit(to step: NativeCodeRequired) async throws(AuthenticationError) -> NativeSignIn {
    while true {
        do throws(AuthenticationError) {
            return try await step.submit(code: ask("Code:"))
        } catch  where error.code == .invalidCode {
            print(error.explanation)
        }
    }
}
// snippet.end

do {
    var configuration = PublicClientApplicationConfiguration(
        clientID: "00001111-aaaa-2222-bbbb-3333cccc4444", bundleID: "com.contoso.mail",
        authority: try .ciam(tenant: "contoso"))
    // Only for the browser, if it comes to that.
    configuration.redirectURI = "http://localhost"
    let application = try PublicClientApplication(configuration: configuration)

    // snippet.sign-in
    let scopes = ["api://contoso-mail/Mail.Read"]
    let username = ask("User name:")
    let password = String(cString: getpass("Password: "))
    let signIn = try await application.nativeAuth.signIn(username: username, password: password, scopes: scopes)
    let account = try await finish(signIn, scopes: scopes, in: application)

    // One call for each API.
    let token = try await account.accessToken(scopes: ["api://contoso-calendar/Calendar.Read"])
    print("\(account.username ?? "Somebody") has signed in; the calendar's token has \(token.utf8.count) bytes.")
    // snippet.end
} catch let error as AuthenticationError {
    switch error.code {
    case .userNotFound, .invalidCredentials, .passwordResetRequired: print(error.explanation)
    default: print("\(error.explanation) (\(error.code))")
    }
} catch {
    // Such as a tenant that cannot be one.
    print(error)
}
