internal import SwitchyardDBus
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
        let words = NoticeWords.ofPerson[self]
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

/// The words of ``DesktopNotice`` in one language.
struct NoticeWords {
    struct Words: Sendable {
        let heading: String
        let text: String
    }

    private let words: [DesktopNotice: Words]

    subscript(notice: DesktopNotice) -> Words { words[notice] ?? Words(heading: "Switchyard", text: "") }

    /// The language of the person's session (locale(7), and `LANGUAGE` of gettext before it).
    static var ofPerson: NoticeWords {
        let locale =
            ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { Environment[$0] }.first { !$0.isEmpty } ?? ""
        // A list of languages counts only where there is a language at all.
        let isPlain = locale.isEmpty || locale == "C" || locale == "POSIX" || locale.hasPrefix("C.")
        let languages = isPlain ? [] : (Environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init) + [locale]
        for language in languages {
            if language.hasPrefix("fr") { return french }
            if language.hasPrefix("en") { return english }
        }
        return english
    }

    static let english = NoticeWords(words: [
        .appsLeftOut: Words(
            heading: "An app cannot sign you in",
            text:
                "The file with its settings has a mistake and is left out. `switchyard doctor --desktop` says which file it is."
        ),
        .nobodys: Words(
            heading: "This sign-in belongs to no app",
            text: "No app of this session has the address that your browser was sent to. Do not copy it to anybody."),
        .notAwaited: Words(
            heading: "No app waits for this sign-in",
            text:
                "It was not started by an app of this session, or that app has given up. Do not copy the address of the "
                + "page to anybody. To sign in, start again from your app."),
        .used: Words(
            heading: "This sign-in has been used",
            text: "Go back to your app. If it still waits, start again from there."),
        .expired: Words(heading: "This sign-in took too long", text: "Start again from your app."),
        .appIsGone: Words(
            heading: "Your app cannot be reached", text: "Start it, and sign in again from there."),
        .outOfReach: Words(
            heading: "Your sign-in could not be handed over",
            text:
                "The program that brings it to your app does not start. Run `switchyard doctor` to see why, then start "
                + "again from your app."),
        .keyringLocked: Words(
            heading: "Your sign-in is not saved yet",
            text:
                "The keyring is locked. Unlock it, and the sign-in is saved by itself; if you do not, you have to sign in again "
                + "in your next session."),
        .notSaved: Words(
            heading: "Your sign-in is not saved yet",
            text:
                "Something is in the way, such as a full disk; `switchyard doctor` may say what. Once it is gone, the sign-in is "
                + "saved by itself; if it stays, you have to sign in again in your next session."),
    ])

    static let french = NoticeWords(words: [
        .appsLeftOut: Words(
            heading: "Une application ne peut pas vous connecter",
            text:
                "Le fichier de ses réglages contient une erreur et n’est pas pris en compte. `switchyard doctor --desktop` dit "
                + "lequel."),
        .nobodys: Words(
            heading: "Cette connexion n’appartient à aucune application",
            text: "Aucune application de cette session n’a l’adresse où votre navigateur a été envoyé. Ne la copiez à "
                + "personne."),
        .notAwaited: Words(
            heading: "Aucune application n’attend cette connexion",
            text:
                "Elle n’a pas été lancée par une application de cette session, ou celle-ci a renoncé. Ne copiez l’adresse "
                + "de la page à personne. Pour vous connecter, repartez de votre application."),
        .used: Words(
            heading: "Cette connexion a déjà servi",
            text: "Revenez à votre application. Si elle attend encore, repartez de là."),
        .expired: Words(heading: "Cette connexion a pris trop de temps", text: "Repartez de votre application."),
        .appIsGone: Words(
            heading: "Votre application est injoignable",
            text: "Lancez-la, puis connectez-vous de nouveau à partir d’elle."),
        .outOfReach: Words(
            heading: "Votre connexion n’a pas pu être transmise",
            text:
                "Le programme qui l’apporte à votre application ne démarre pas. Lancez `switchyard doctor` pour savoir "
                + "pourquoi, puis repartez de votre application."),
        .keyringLocked: Words(
            heading: "Votre connexion n’est pas encore enregistrée",
            text:
                "Le trousseau est verrouillé. Déverrouillez-le et elle s’enregistrera d’elle-même ; sinon, il faudra vous "
                + "connecter de nouveau à la prochaine session."),
        .notSaved: Words(
            heading: "Votre connexion n’est pas encore enregistrée",
            text:
                "Quelque chose s’y oppose, un disque plein par exemple ; `switchyard doctor` dira peut-être quoi. Ensuite elle "
                + "s’enregistrera d’elle-même ; sinon, il faudra vous connecter de nouveau à la prochaine session."),
    ])
}
