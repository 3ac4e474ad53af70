extension Language {
    static let french = Language(
        tag: "fr",
        strings: Strings(
            collected: Notice(
                heading: "Connexion réussie",
                explanation: "\(.app) a bien reçu votre connexion.",
                next: "Vous pouvez fermer cet onglet et revenir à \(.app)."),
            waitingForApp: Notice(
                heading: "C’est presque terminé",
                explanation: "Votre connexion a réussi, mais \(.app) ne l’a pas encore récupérée.",
                next: "Revenez à \(.app) et vérifiez qu’elle est toujours ouverte. Cet onglet n’est plus nécessaire."),
            redeeming: Notice(
                heading: "Connexion en cours",
                explanation: "Votre connexion à \(.app) est en train de se terminer.",
                next: "Cela prend quelques secondes."),
            failed: failed,
            neutral: Notice(
                heading: "Rien à afficher ici",
                explanation: "Seul le navigateur qui a servi à la connexion peut en voir le résultat.",
                next: "Si vous étiez en train de vous connecter, revenez à votre application\u{A0}: elle connaît le "
                    + "résultat. Vous pouvez fermer cet onglet."),
            refused: refused,
            hostClaim: "L’application dit s’exécuter sur",
            reference: "Référence, si vous demandez de l’aide",
            updatesItself: "Cette page se met à jour toute seule.",
            reloadToUpdate: "Rechargez cette page pour voir si quelque chose a changé."))

    @Sendable private static func failed(_ reason: FailureReason) -> Notice<AppPhrase> {
        let (explanation, next) = failure(reason)
        return Notice(heading: "La connexion n’a pas abouti", explanation: explanation, next: next)
    }

    private static func failure(_ reason: FailureReason) -> (explanation: AppPhrase, next: AppPhrase) {
        switch reason {
        case .accessDenied:
            (
                "La connexion à \(.app) a été refusée, par vous ou par une règle de votre organisation.",
                "Pour réessayer, fermez cet onglet et recommencez depuis \(.app)."
            )
        case .canceled:
            (
                "La connexion à \(.app) a été annulée.",
                "Vous pouvez fermer cet onglet. Pour vous connecter malgré tout, recommencez depuis \(.app)."
            )
        case .expired:
            (
                "La connexion à \(.app) a pris trop de temps et a expiré.",
                "Fermez cet onglet et recommencez depuis \(.app)."
            )
        case .interactionRequired:
            (
                "Votre service de connexion vous demande une étape de plus avant que \(.app) puisse continuer.",
                "Fermez cet onglet et recommencez depuis \(.app)."
            )
        case .protectionPolicyRequired:
            (
                "Votre organisation n’autorise \(.app) que sur les appareils ou dans les applications qu’elle gère.",
                "Demandez à votre service informatique comment remplir cette condition, puis recommencez depuis \(.app)."
            )
        case .issuerUnavailable:
            (
                "Votre service de connexion rencontre un problème et n’a pas terminé la connexion à \(.app).",
                "Attendez quelques minutes, puis recommencez depuis \(.app)."
            )
        case .issuerRefused:
            (
                "Votre service de connexion n’a pas accepté la demande de \(.app).",
                "Recommencez depuis \(.app). Si cela se reproduit, demandez de l’aide à qui s’en occupe."
            )
        case .answerNotTrusted:
            (
                "La réponse de votre service de connexion n’a pas pu être vérifiée. \(.app) ne l’a pas reçue.",
                "Recommencez depuis \(.app). Si cela se reproduit, demandez de l’aide à qui s’en occupe."
            )
        case .internalError:
            (
                "Une erreur s’est produite ici et la connexion à \(.app) n’a pas abouti.",
                "Recommencez depuis \(.app). Si cela se reproduit, demandez de l’aide à qui s’en occupe."
            )
        }
    }

    private static let startAgain = "Fermez cet onglet et recommencez depuis votre application."
    private static let keepAddress =
        "Ne copiez pas l’adresse de cette page et ne l’envoyez à personne, même si on vous le demande. "
        + "Si vous voulez vous connecter, fermez cet onglet et recommencez depuis votre application."

    @Sendable private static func refused(_ refusal: CallbackRefusal) -> Notice<String> {
        switch refusal {
        case .unknownState:
            Notice(
                heading: "Cette connexion n’a pas été demandée par votre application",
                explanation: "Aucune application ne l’attend\u{202F}; rien n’en a donc été fait.",
                next: keepAddress)
        case .expired:
            Notice(
                heading: "Cette connexion a expiré",
                explanation: "Elle a pris trop de temps et votre application ne l’attend plus.",
                next: startAgain)
        case .wrongRedirectURI:
            Notice(
                heading: "Cette connexion est arrivée à la mauvaise adresse",
                explanation: "Elle appartient à une autre application\u{202F}; rien n’en a donc été fait.",
                next: keepAddress)
        case .wrongIssuer:
            Notice(
                heading: "Cette réponse vient du mauvais service de connexion",
                explanation: "Ce n’est pas celui que votre application a interrogé\u{202F}; rien n’en a donc été fait.",
                next: keepAddress)
        case .duplicateParameter:
            Notice(
                heading: "Cette connexion est illisible",
                explanation: "Une partie de la réponse s’y trouvait deux fois\u{202F}; rien n’en a donc été fait.",
                next: keepAddress)
        case .missingCode:
            Notice(
                heading: "Cette connexion est incomplète",
                explanation: "La réponse ne dit ni que la connexion a réussi, ni qu’elle a échoué.",
                next: startAgain)
        case .malformed:
            Notice(
                heading: "Cette connexion est illisible",
                explanation: "La réponse est abîmée ou se contredit\u{202F}; rien n’en a donc été fait.",
                next: startAgain)
        case .anotherBrowser:
            Notice(
                heading: "Cette connexion a commencé dans un autre navigateur",
                explanation: "Elle ne peut se terminer que là où elle a commencé\u{202F}; rien n’en a donc été fait.",
                next: keepAddress)
        case .replayed:
            Notice(
                heading: "Cette connexion a déjà servi",
                explanation: "Elle est revenue avec un autre code, qui n’a pas été accepté.",
                next: keepAddress)
        case .notFound:
            Notice(
                heading: "Il n’y a rien à cette adresse",
                explanation: "L’adresse est peut-être mal écrite ou périmée.",
                next: "Si vous étiez en train de vous connecter, fermez cet onglet et recommencez depuis votre "
                    + "application.")
        case .methodNotAllowed, .unsupportedContentType:
            Notice(
                heading: "Cette demande n’a pas été acceptée",
                explanation: "Elle a été envoyée sous une forme que cette adresse ne prend pas.",
                next: startAgain)
        case .tooLarge:
            Notice(
                heading: "Cette demande est trop longue",
                explanation: "Aucune connexion n’est aussi longue\u{202F}; elle n’a donc pas été lue.",
                next: startAgain)
        case .tooManyRequests:
            Notice(
                heading: "Trop de demandes",
                explanation: "Votre réseau a envoyé plus de demandes qu’il n’est possible d’en traiter.",
                next: "Attendez une minute, puis rechargez cette page.")
        case .prefetch:
            Notice(
                heading: "Rien ne s’est encore passé",
                explanation: "Votre navigateur a chargé cette page à l’avance, et cela ne connecte personne.",
                next: "Rechargez cette page pour continuer.")
        case .unavailable:
            Notice(
                heading: "La connexion n’est pas disponible",
                explanation: "Ce service ne peut pas répondre pour le moment.",
                next: "Attendez une minute, puis rechargez cette page.")
        }
    }
}
