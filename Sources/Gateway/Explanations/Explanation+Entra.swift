/// The errors of Microsoft Entra ID that operators meet, by number.
enum EntraError: Int, CaseIterable, Sendable {
    case accountSelectionNeeded = 16000
    case redirectURIMismatch = 50011
    case userFromElsewhere = 50020
    case accountLocked = 50053
    case passwordExpired = 50055
    case invalidPassword = 50056
    case accountDisabled = 50057
    case sessionNotEnough = 50058
    case strongAuthenticationNeeded = 50076
    case enrollmentInterrupted = 50072
    case enrollmentNeeded = 50079
    case freshTokenNeeded = 50078
    case keepMeSignedIn = 50140
    case conditionalAccessSession = 50097
    case userNotAssigned = 50105
    case wrongPassword = 50126
    case passwordResetNeeded = 50142
    case externalChallenge = 50158
    case noRedirectURI = 500113
    case publicEndpointMismatch = 50194
    case signInByAnotherAccount = 50177
    case deviceNotManaged = 53000
    case deviceNotJoined = 53001
    case appNotApproved = 53002
    case blockedByPolicy = 53003
    case proofUpNeeded = 53004
    case codeUsedTwice = 54005
    case noConsent = 65001
    case consentDeclined = 65004
    case resourceMissing = 65005
    case codeExpired = 70008
    case codeInvalid = 70000
    case codeRevoked = 70001
    case clientForTenantMissing = 700016
    case publicClientWithSecret = 700025
    case invalidAssertion = 700027
    case unregisteredResponseType = 700054
    case refreshTokenInactive = 700082
    case refreshTokenExpired = 700084
    case wrongSecret = 7_000_215
    case assertionOrSecretNeeded = 7_000_218
    case secretExpired = 7_000_222
    case clientDisabled = 7_000_112
    case requestParameterMissing = 90014
    case tenantNotSaid = 90019
    case tenantMissing = 90002
    case userNotInTenant = 90072
    case adminConsentNeeded = 90094
    case bodyParameterMissing = 900144
    case grantNotAtCommon = 9_001_023
    case requestMalformed = 9_002_313
    case singlePageOnly = 9_002_327
    case personalAccountsOnly = 9_002_346

    var explanation: Explanation { Explanation(.entra, "AADSTS\(rawValue)", words) }

    private var words: Explanation.Words {
        switch self {
        case .accountSelectionNeeded:
            (
                "several accounts are signed in in the browser, and none was chosen",
                "Begin again and choose one, or give login_hint."
            )
        case .redirectURIMismatch:
            (
                "the client's registration does not have the redirect URI of the request",
                "Add the redirect URI that `switchyard check` prints to the client's registration under Authentication, byte for byte, on the right platform (Web, or Mobile and desktop)."
            )
        case .userFromElsewhere:
            (
                "the account is of another directory, or a personal one, and is no guest in this one",
                "Sign in with an account of this directory, invite the person as a guest, or let the client take accounts of other directories."
            )
        case .accountLocked:
            (
                "the account is locked after too many wrong passwords, or the address is suspicious",
                "Wait, or have the administrator unlock the account; look for a program that tries an old password."
            )
        case .passwordExpired: ("the password has expired", "The person has to choose a new one.")
        case .invalidPassword:
            (
                "the account has no password in the directory, or it cannot be checked",
                "The person signs in in another way, or the administrator looks at the directory's synchronization."
            )
        case .accountDisabled: ("the account is disabled", "The administrator enables it, if that was not meant.")
        case .sessionNotEnough:
            ("the browser's session does not do for signing in without asking", "Begin again without prompt=none.")
        case .strongAuthenticationNeeded:
            (
                "the person has to give a second factor, by a policy or because of the place",
                "Begin again in the browser, where the second factor is asked for."
            )
        case .enrollmentInterrupted:
            ("the person has to set up a second factor, and did not", "Begin again, and set it up when asked.")
        case .enrollmentNeeded:
            (
                "the administrator asks for a second factor, and the person has set up none",
                "Begin again, and set it up when asked."
            )
        case .freshTokenNeeded: ("what the second factor gave is too old", "Begin again, and give it once more.")
        case .keepMeSignedIn:
            (
                "the person was asked whether to stay signed in, and did not continue",
                "Begin again, and answer the question."
            )
        case .conditionalAccessSession:
            (
                "a policy wants the device to show what it is",
                "Sign in on a device that the directory knows; look at the sign-in log under Conditional Access."
            )
        case .userNotAssigned:
            (
                "the person is not assigned to the application, and assignment is required",
                "Assign the person, or a group of theirs, under Enterprise applications, Users and groups; or turn Assignment required off."
            )
        case .wrongPassword: ("user name or password is wrong", "The person tries again.")
        case .passwordResetNeeded:
            ("the password has to be changed because the account is at risk", "The person resets the password.")
        case .externalChallenge:
            (
                "another provider still has to be asked, such as one for second factors",
                "Begin again in the browser, and finish there."
            )
        case .noRedirectURI:
            (
                "the client has no redirect URI at all",
                "Add those that `switchyard check` prints to its registration under Authentication."
            )
        case .publicEndpointMismatch:
            (
                "the client takes accounts of one directory only, and was asked for by `common`",
                "Put the tenant's id into `issuer`, or let the client take accounts of several directories."
            )
        case .signInByAnotherAccount:
            (
                "the account has to go by another provider first, which cannot be done without asking",
                "Begin again without prompt=none."
            )
        case .deviceNotManaged:
            (
                "a policy asks for a compliant device, and this one is not",
                "Use a managed device, or take app or people out of the policy."
            )
        case .deviceNotJoined:
            (
                "a policy asks for a device that is joined to the domain",
                "Use such a device, or take app or people out of the policy."
            )
        case .appNotApproved:
            (
                "a policy asks for an approved app",
                "No app on Linux is one: take the app, or these people, out of the policy."
            )
        case .blockedByPolicy:
            (
                "a Conditional Access policy blocks this sign-in",
                "The sign-in log, under Conditional Access, names the policy; change it, or meet it (place, device, app)."
            )
        case .proofUpNeeded:
            (
                "the person has to set up a second factor, and may not do so because the sign-in looks risky",
                "Set it up from a place and a device that the directory trusts, or have an administrator do it."
            )
        case .codeUsedTwice:
            (
                "the code was redeemed already",
                "Begin again. If it comes back, something else redeems the same callbacks: an app of its own, or a second gateway with another store."
            )
        case .noConsent:
            (
                "neither the person nor an administrator has consented to what the client asks for",
                "Begin again and consent, or have an administrator grant consent under API permissions."
            )
        case .consentDeclined:
            (
                "the person was asked for consent, and declined",
                "Begin again and consent, if that was a mistake; ask for fewer scopes if people do not want to."
            )
        case .resourceMissing:
            (
                "the client asks for an API that its registration does not list, or that is not in this directory",
                "Add the API under API permissions, or take the scope out."
            )
        case .codeExpired:
            (
                "the code, or the refresh token, has expired",
                "Begin again; codes live for a few minutes, so a held one has to be released soon."
            )
        case .codeInvalid:
            ("the grant is not valid, or not for what is asked", "Begin again; compare client_id and scopes.")
        case .codeRevoked:
            (
                "the application is disabled, or what it was given was taken back",
                "Look at the application under Enterprise applications, and begin again."
            )
        case .clientForTenantMissing:
            (
                "the client ID is not known in the directory",
                "Compare client_id and the tenant in `issuer` with the registration; has an administrator added the application to this directory?"
            )
        case .publicClientWithSecret:
            (
                "the client is a public one, and a secret was sent",
                "Take client_secret out of the configuration, or register the redirect URI under Web instead of Mobile and desktop."
            )
        case .invalidAssertion:
            (
                "the client's signed assertion does not verify",
                "Compare the certificate of `signing_keys` with that under Certificates & secrets, and look at this machine's clock."
            )
        case .unregisteredResponseType:
            (
                "the client may not get ID tokens from the authorization endpoint",
                "Ask for response_type code only; nothing has to be turned on."
            )
        case .refreshTokenInactive: ("the refresh token was not used for too long", "The person signs in again.")
        case .refreshTokenExpired:
            (
                "the refresh token of a browser app has reached its end",
                "The person signs in again. Register the redirect URI under Web, not Single-page application."
            )
        case .wrongSecret:
            (
                "the client secret is wrong",
                "Put the secret's value, not its ID, into client_secret_file; make a new one if its value is no longer known."
            )
        case .assertionOrSecretNeeded:
            (
                "the token endpoint wants a secret or an assertion of the client, and got none",
                "Give the app its client_secret_file; or, for a public client, turn Allow public client flows on and register the redirect URI under Mobile and desktop."
            )
        case .secretExpired:
            (
                "the client secret has expired",
                "Make a new one in the registration, put its value into client_secret_file, and let `switchyard reload` take it."
            )
        case .clientDisabled: ("the application is disabled", "Enable it under Enterprise applications, Properties.")
        case .requestParameterMissing:
            (
                "a parameter that is needed is missing in the request",
                "Look at the authorization request in the browser; does a proxy cut the address off?"
            )
        case .tenantNotSaid:
            (
                "the request does not say for which directory it is",
                "Put the tenant's id into `issuer`."
            )
        case .tenantMissing: ("the directory is not known", "Compare the tenant's id in `issuer`.")
        case .userNotInTenant:
            (
                "the account is not known in the directory that the client belongs to",
                "Sign in with an account of this directory, or invite the person as a guest."
            )
        case .adminConsentNeeded:
            (
                "only an administrator can consent to what the client asks for",
                "Have an administrator grant consent under API permissions."
            )
        case .bodyParameterMissing:
            (
                "a parameter is missing in the content of a request, mostly client_id",
                "Compare client_id and token_endpoint_auth_method; does something between gateway and issuer drop the content?"
            )
        case .grantNotAtCommon:
            (
                "this kind of grant is not taken at `common` or `consumers`",
                "Put the tenant's id into `issuer`. With `organizations` there, list the tenants in the app's `tenants`."
            )
        case .requestMalformed:
            (
                "the request is malformed",
                "Compare client_id, redirect URI and scopes; leave out extra_parameters that the issuer does not know."
            )
        case .singlePageOnly:
            (
                "the redirect URI is registered for single-page apps, whose codes only browsers may redeem",
                "Move the redirect URI from Single-page application to Web, or to Mobile and desktop."
            )
        case .personalAccountsOnly:
            (
                "the client takes personal accounts only",
                "Write `https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0` as `issuer`, the directory of personal accounts; or let the client take other accounts."
            )
        }
    }
}
