extension LoopbackWords {
    static let french = LoopbackWords(
        language: "fr",
        signedIn: ("Vous êtes connecté", "Vous pouvez fermer cette page et revenir à l’application."),
        failed: (
            "La connexion a échoué", "Revenez à l’application\u{A0}: elle dit pourquoi, et vous pourrez y réessayer."
        ),
        taken: ("Cette connexion est déjà terminée", "Vous pouvez fermer cette page et revenir à l’application."),
        tooLate: (
            "Aucune connexion n’attend cette page",
            "Elle a pris trop de temps ou a été annulée. Recommencez dans l’application."
        ),
        notStarted: (
            "Votre application n’a pas commencé cette connexion",
            "Rien n’a changé. Ne donnez cette adresse à personne."
        ),
        notHere: (
            "Il n’y a rien ici", "Une application de cet ordinateur attend une connexion à une autre adresse."
        ),
        notOwnUser: (
            "Cette page est pour un autre utilisateur",
            "Une application attend le navigateur de son propre utilisateur, et cet ordinateur ne montre pas que c’est lui. "
                + "Rien n’a changé."
        ))
}
