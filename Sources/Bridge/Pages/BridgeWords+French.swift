internal import SwitchyardPages

extension BridgeWords {
    static let french = BridgeWords(
        tag: "fr",
        consent: ConsentWords(
            heading: "Venez-vous de lancer cette connexion\u{A0}?",
            explanation: "Un programme sur \(.host) demande à ce navigateur de se connecter à \(.issuer).",
            warning:
                "Continuez seulement si vous venez de la lancer là-bas\u{A0}: qui contrôle \(.host) obtient ce que vous "
                + "allez autoriser.",
            refuse: "Ce n’était pas moi", proceed: "Continuer vers la connexion", host: "Demandé par la machine",
            issuer: "Service de connexion", client: "Programme (client ID), selon cette machine",
            scope: "Accès demandé", noScope: "non précisé", path: "Page de ce service", resource: "Accès à ce service",
            details: "Détails de cet accès", prompt: "Comment ce service doit demander (prompt)"),
        notices: { notice in
            switch notice {
            case .refused:
                Text(
                    heading: "Rien n’a été ouvert",
                    explanation: "Le programme de l’autre machine n’obtient rien. Vous pouvez fermer cet onglet.")
            case .ended:
                Text(
                    heading: "Cette connexion est terminée",
                    explanation:
                        "Elle a pris trop de temps, ou son programme n’est plus là. Recommencez dans ce programme.")
            case .alreadyDelivered:
                Text(
                    heading: "Cette connexion a déjà été transmise",
                    explanation: "Vous pouvez fermer cet onglet et revenir à votre programme.")
            case .notStarted:
                Text(
                    heading: "Vous n’avez pas lancé cette connexion",
                    explanation: "Rien n’a été transmis. Ne donnez l’adresse de cette page à personne.")
            case .notHere:
                Text(
                    heading: "Il n’y a rien ici",
                    explanation: "Un programme d’une autre machine attend une connexion à une autre adresse.")
            case .notANavigation:
                Text(
                    heading: "Vous n’avez pas demandé cela",
                    explanation: "Une page l’a demandé en arrière-plan. Rien n’a été transmis.")
            case .toolGone:
                Text(
                    heading: "Le programme n’attend plus",
                    explanation:
                        "Il s’est terminé, ou n’attendait plus, avant le retour de la connexion. Relancez-le.")
            case .toolResponseUnusable:
                Text(
                    heading: "La connexion a été transmise",
                    explanation:
                        "La réponse du programme ne peut pas être affichée ici. Revenez-y pour voir le résultat.")
            }
        })
}
