extension AuthenticationError.Code {
    /// A sentence for a person.
    public var explanation: String {
        switch name {
        case .interactionRequired: "You have to sign in again."
        case .serverDeclinedScopes: "Not every permission was granted."
        case .serverProtectionPoliciesRequired: "Your organization asks for protection that this app does not have."
        case .workplaceJoinRequired: "Your organization asks for a registered device."
        case .insufficientDeviceStrength: "This device does not meet your organization's security requirements."
        case .mdmEnrollmentCompletedNeedsRetry: "The device was enrolled. Please try again."
        case .passwordResetRequired: "Your password has to be changed first."
        case .userNotFound: "Nobody is known by this name."
        case .invalidCredentials: "The user name or the password is wrong."
        case .invalidCode: "That code is wrong."
        case .userCanceled: "The sign-in was canceled."
        case .accessDenied: "Access was denied."
        case .invalidRequest: "The app made a mistake while signing in."
        case .invalidClient: "The app is not known to the sign-in service."
        case .invalidGrant: "The sign-in is no longer valid. Please try again."
        case .invalidScope: "The app asked for something that does not exist."
        case .unauthorizedClient: "The app may not sign in this way."
        case .authorizationFailed: "The sign-in service refused."
        case .serverError: "The sign-in service has a problem. Please try again later."
        case .temporarilyUnavailable: "The sign-in service is busy. Please try again in a moment."
        case .throttled: "There were too many attempts. Please wait a moment."
        case .network: "The sign-in service cannot be reached. Are you online?"
        case .invalidResponse: "The sign-in service gave an answer that makes no sense."
        case .invalidIDToken: "The sign-in could not be verified."
        case .timedOut: "The sign-in took too long."
        case .releaseFailed: "The sign-in was not confirmed."
        case .gatewayFailed: "The sign-in gateway did not work."
        case .browserNotOpened: "No browser could be opened."
        case .cacheFailed: "The saved sign-ins cannot be read."
        case .invalidConfiguration: "The app is not set up correctly."
        case .invalidParameter: "The app made a mistake while signing in."
        case .internal: "Something unexpected happened."
        }
    }

    /// The step that a developer or an administrator can take.
    public var remedy: String {
        switch name {
        case .interactionRequired:
            "Call acquireToken(with:), best with the account and the claims of this error."
        case .serverDeclinedScopes:
            "Continue with the granted scopes by acquireTokenSilent(with:), or explain to the person why the declined ones are needed."
        case .serverProtectionPoliciesRequired:
            "The resource asks for app protection policies, which Linux apps cannot meet; an administrator can make an exception."
        case .workplaceJoinRequired:
            "Register the device with the organization, then sign in again."
        case .insufficientDeviceStrength:
            "An administrator has to allow this kind of device."
        case .mdmEnrollmentCompletedNeedsRetry:
            "Send the same request again."
        case .passwordResetRequired:
            "Lead the person to the organization's password page, then sign in again."
        case .userNotFound:
            "Ask for the name again, or offer to sign up."
        case .invalidCredentials:
            "Ask for the password again."
        case .invalidCode:
            "Ask for the code again, or have another one sent."
        case .userCanceled:
            "Nothing is wrong; offer to sign in again."
        case .accessDenied:
            "Somebody said no, or a policy did: look at oauthError, oauthSuberror and message. The person did not just close the window."
        case .invalidRequest:
            "Compare the parameters with what the issuer documents; message has its words."
        case .invalidClient:
            "Check the client ID, and that the app is registered as a public client."
        case .invalidGrant:
            "The code or token was used, has expired or was revoked: begin again."
        case .invalidScope:
            "Check the spelling of the scopes, and that they belong to one resource."
        case .unauthorizedClient:
            "Allow the grant type for this client in the issuer's registration."
        case .authorizationFailed:
            "Look at oauthError, oauthSuberror and message: the issuer has a reason of its own, which its documentation explains."
        case .serverError:
            "Try again later; correlationID helps the issuer's support."
        case .temporarilyUnavailable:
            "Try again after retryAfter seconds."
        case .throttled:
            "Wait for retryAfter seconds; look for a loop that asks for tokens."
        case .network:
            "Try again when there is a connection; message says whether the request may have been carried out."
        case .invalidResponse:
            "The issuer breaks the protocol; message says how."
        case .invalidIDToken:
            "The ID token is not what this issuer should have sent to this client: check authority and client ID, and the clock of this machine."
        case .timedOut:
            "Begin again. If the browser did finish, the callback never reached the app: check that the redirect URI is forwarded to handleResponse; the log says what became of those that came. If the browser shows an error about the redirect URI, register it exactly as it is here; issuers that compare ports want one with a port."
        case .releaseFailed:
            "Begin again and type the code that the browser shows."
        case .gatewayFailed:
            "Check the gateway's address, that the app is registered there, and its log."
        case .browserNotOpened:
            "Give the request a way to present the address, for example by printing it."
        case .cacheFailed:
            "underlyingError says which store failed and how to mend it."
        case .invalidConfiguration:
            "Correct the configuration as message says."
        case .invalidParameter:
            "Correct the parameter that message names."
        case .internal:
            "Please report this with its message and correlationID."
        }
    }
}

extension AuthenticationError.InternalCode {
    /// The step that a developer can take, where it is more than the code's own remedy.
    var remedy: String? {
        switch name {
        case .redirectSchemeNotRegistered:
            "Register the scheme for this app on this desktop: switchyard register --id ID --scheme SCHEME."
        case .unhandledResponse:
            "Look at httpStatus and httpHeaders; a proxy may have answered instead of the issuer."
        case .failedAuthorityValidation:
            "Check the authority's spelling; make the authority of a host of your own by its kind: oidc(issuer:), adfs(_:), b2c(…)."
        case .invalidRedirectURI:
            "Correct the redirect URI as message says, here and in the issuer's registration."
        case .mismatchedUser:
            "Ask the person to choose the account that the request named."
        case .ambiguousAccount:
            "Name the account by its identifier."
        case .accountRequired:
            "Give the account, or call acquireToken(with:)."
        case .offline:
            "Wait for a connection."
        case .connectionRefused:
            "Check host, port, firewall and certificate."
        case .cacheLocked:
            "Unlock the keyring and try again."
        case .cacheCorrupt:
            "The unreadable cache was set aside; signing in again makes a new one."
        case .differentCloud:
            "Ask for the scopes with the authority of the account's cloud."
        case .signedOut:
            "Call acquireToken(with:)."
        case .noTokens:
            "Call acquireToken(with:)."
        case .stepUpNotMet:
            "Offer the person such a way to sign in at the issuer, or ask for less in stepUp."
        case .stepUpRequired:
            "Call acquireToken(with:) with the stepUp of this error."
        case .userInfo:
            "Look at the issuer's userinfo endpoint; message says what it answered."
        default: nil
        }
    }
}
