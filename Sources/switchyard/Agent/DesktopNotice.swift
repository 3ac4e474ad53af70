internal import SwitchyardDBus
internal import SwitchyardPhrases
internal import SwitchyardReactor

/// A notice for the person at the browser about a sign-in that failed, or will not last. The desktop shows it, because
/// the output of a program that a browser or the session has started goes unread. It holds no part of the callback.
enum DesktopNotice: CaseIterable {
    /// No app has this redirect URI, or it is no callback at all.
    case nobodys
    /// There is an app, but it waits for no such sign-in.
    case notAwaited
    case used
    case expired
    /// The app cannot be reached.
    case appIsGone
    /// Neither the agent nor a gateway answers.
    case outOfReach
    /// The agent has the tokens in its memory, because the keyring accepts no tokens now.
    case keyringLocked
    /// The same, for another reason.
    case notSaved
    /// The agent leaves a file of apps out, because of a mistake in it.
    case appsLeftOut

    /// - Parameter reason: as `POST /v1/callbacks` gives it.
    init(reason: String) {
        self =
            switch reason {
            case "not_mine", "malformed": .nobodys
            case "already_consumed": .used
            case "expired": .expired
            case "no_pending_request", "state_mismatch": .notAwaited
            default: .appIsGone
            }
    }

    /// - Returns: whether the desktop has shown it.
    @discardableResult
    func show() -> Bool {
        let words = message(in: Language.ofPerson.phrases.desktop)
        let isShown = try? runToEnd { await DesktopNotification.show(words.heading, words.text) }
        return isShown ?? false
    }
}

/// A notification beside a desktop's windows (Desktop Notifications Specification).
enum DesktopNotification {
    /// How long a desktop may take to show it; a browser's person waits.
    private static let answerLimit = Duration.seconds(3)

    /// Only from a task of a loop.
    /// - Parameter text: desktops may read it as markup, so escape foreign text (``escaped(_:)``).
    /// - Returns: whether the desktop has shown it.
    static func show(_ heading: String, _ text: String) async -> Bool {
        guard let address = BusConnection.sessionAddress, let bus = try? BusConnection(to: address, on: .required)
        else { return false }
        defer { bus.close() }
        let name = "org.freedesktop.Notifications"
        let answer = try? await bus.call(
            BusMethod(name, "/org/freedesktop/Notifications", name, "Notify"),
            [
                .string("Switchyard"), .uint32(0), .string("dialog-warning"), .string(heading), .string(text),
                .strings([]), .options(["urgency": .byte(1)]), .int32(-1),
            ], within: answerLimit)
        return answer != nil
    }

    /// Escapes markup, so the desktop shows it as plain text.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

extension Language {
    /// The language of the person's session (locale(7), and `LANGUAGE` of gettext before it).
    static var ofPerson: Language {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty } ?? ""
        // A list of languages counts only where there is a language at all.
        let isPlain = locale.isEmpty || locale == "C" || locale == "POSIX" || locale.hasPrefix("C.")
        let languages = isPlain ? [] : (Environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
        return preferred(byLocales: languages)
    }
}

extension DesktopNotice {
    func message(in phrases: DesktopPhrases) -> Message {
        switch self {
        case .nobodys: phrases.noApp
        case .notAwaited: phrases.notAwaited
        case .used: phrases.used
        case .expired: phrases.expired
        case .appIsGone: phrases.appIsGone
        case .outOfReach: phrases.outOfReach
        case .keyringLocked: phrases.keyringLocked
        case .notSaved: phrases.notSaved
        case .appsLeftOut: phrases.appsLeftOut
        }
    }
}
