/// The words around the subject of a page: how it changes, and the operator's links.
package struct FramePhrases: Sendable {
    /// For a page that looks for changes by itself.
    package let updatesItself: String
    /// For a page that does not.
    package let reloadToUpdate: String
    /// The link that loads the page again.
    package let reload: String
    /// Announced when the page has changed.
    package let changed: String
    /// Announced while the gateway does not answer.
    package let unreachable: String
    /// Announced when the page has looked for changes long enough.
    package let stoppedLooking: String
    /// The link to the operator's help.
    package let help: String
    /// The link to the operator's privacy notice.
    package let privacy: String
}

/// The pages that anybody may see.
package struct NoticePhrases: Sendable {
    /// For a browser that may not see the sign-in.
    package let neutral: Notice<String>
    /// For the browser that brought the callback of a sign-in which was started in another one.
    package let startedElsewhere: Notice<String>
    /// While the fragment is on its way to the gateway.
    package let sendingFragment: Notice<String>
    /// For a browser that runs no scripts, at a redirect URI with `response_mode=fragment`.
    package let fragmentNeedsScript: Notice<String>
}

/// The pages of requests that were not accepted.
package struct RefusalPhrases: Sendable {
    package let unknownState: Notice<String>
    package let expired: Notice<String>
    package let ended: Notice<String>
    package let wrongRedirectURI: Notice<String>
    package let wrongIssuer: Notice<String>
    package let wrongResponseMode: Notice<String>
    package let responseNotTrusted: Notice<String>
    package let duplicateParameter: Notice<String>
    package let missingCode: Notice<String>
    package let malformed: Notice<String>
    package let anotherBrowser: Notice<String>
    package let replayed: Notice<String>
    package let notFound: Notice<String>
    /// The method, or the type of the content, is not one of this address.
    package let wrongForm: Notice<String>
    package let tooLarge: Notice<String>
    package let tooManyRequests: Notice<String>
    package let prefetch: Notice<String>
    package let unavailable: Notice<String>
}
