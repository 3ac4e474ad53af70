/// The notices of `switchyard open` and the agent beside a desktop's windows.
package struct DesktopPhrases: Sendable {
    /// The agent leaves a file of apps out, because of a mistake in it.
    package let appsLeftOut: Message
    /// No app has this redirect URI, or it is no callback at all.
    package let noApp: Message
    /// There is an app, but it waits for no such sign-in.
    package let notAwaited: Message
    package let used: Message
    package let expired: Message
    /// The app cannot be reached.
    package let appIsGone: Message
    /// Neither the agent nor a gateway answers.
    package let outOfReach: Message
    /// The agent has the tokens in its memory, because the keyring accepts no tokens now.
    package let keyringLocked: Message
    /// A program waits for a sign-in to a server. The server's name and the address stand below it.
    package let signInNeeded: Message
    /// The agent has the tokens in its memory for another reason.
    package let notSaved: Message
}
