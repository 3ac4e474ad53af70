/// What the page at a loopback redirect URI says.
struct LoopbackWords: Sendable {
    struct Text: Sendable {
        let language: String
        let title: String
        let sentence: String
    }

    private let isFrench: Bool

    /// The reader's language where it is here, otherwise English. The first language that is named counts: browsers name
    /// the preferred one first.
    init(acceptLanguage: String) {
        isFrench = acceptLanguage.prefix { $0 != "," && $0 != ";" && $0 != "-" }.lowercased() == "fr"
    }

    var signedIn: Text {
        text(
            "You are signed in", "You can close this page and go back to the app.",
            "Vous êtes connecté", "Vous pouvez fermer cette page et revenir à l’application.")
    }

    var failed: Text {
        text(
            "The sign-in did not work", "Go back to the app: it says why, and you can try again there.",
            "La connexion a échoué", "Revenez à l’application : elle dit pourquoi, et vous pourrez y réessayer.")
    }

    var taken: Text {
        text(
            "This sign-in has ended already", "You can close this page and go back to the app.",
            "Cette connexion est déjà terminée", "Vous pouvez fermer cette page et revenir à l’application.")
    }

    var tooLate: Text {
        text(
            "No sign-in waits for this page", "It took too long, or was canceled. Begin again in the app.",
            "Aucune connexion n’attend cette page",
            "Elle a pris trop de temps ou a été annulée. Recommencez dans l’application.")
    }

    var notStarted: Text {
        text(
            "Your app did not start this sign-in", "Nothing was changed. Do not copy this address to anybody.",
            "Votre application n’a pas commencé cette connexion",
            "Rien n’a changé. Ne donnez cette adresse à personne.")
    }

    var notHere: Text {
        text(
            "There is nothing here", "An app on this machine waits for a sign-in at another address.",
            "Il n’y a rien ici", "Une application de cet ordinateur attend une connexion à une autre adresse.")
    }

    private func text(
        _ englishTitle: String, _ englishSentence: String, _ frenchTitle: String, _ frenchSentence: String
    ) -> Text {
        isFrench
            ? Text(language: "fr", title: frenchTitle, sentence: frenchSentence)
            : Text(language: "en", title: englishTitle, sentence: englishSentence)
    }
}
