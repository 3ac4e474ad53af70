internal import SwitchyardPages

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
            releaseCode: Notice(
                heading: "Saisissez ce code dans le programme que vous avez lancé",
                explanation: "Votre connexion à \(.app) reprendra dès que ce programme aura reçu ce code\u{A0}:",
                next: "Ne le saisissez que dans le programme que vous avez lancé vous-même\u{A0}: une application, un "
                    + "terminal, votre propre agent de programmation. Personne ne vous le demandera, ni par téléphone, "
                    + "ni par courriel, ni par message. Quiconque vous le demande veut accéder à votre compte."),
            returning: Notice(
                heading: "Retour à votre application",
                explanation: "Vous allez revenir à \(.app), qui terminera la connexion.",
                next: "Si rien ne se passe, suivez ce lien\u{A0}:"),
            openApp: "Revenir à \(.app)",
            failed: failed,
            delivered: Notice(
                heading: "Continuez dans votre application",
                explanation: "\(.app) a bien reçu la réponse de votre service de connexion.",
                next: "Vous pouvez fermer cet onglet et revenir à \(.app), qui indique si la connexion a réussi."),
            delivering: Notice(
                heading: "Votre application est prévenue",
                explanation: "La réponse de votre service de connexion est en route vers \(.app).",
                next: "Cela prend quelques secondes, ou davantage si \(.app) doit d’abord démarrer."),
            undelivered: Notice(
                heading: "Votre application est injoignable",
                explanation: "\(.app) n’a pas reçu la réponse de votre service de connexion\u{A0}: elle n’est pas "
                    + "ouverte ici, ou ne répond pas.",
                next: "Ouvrez \(.app) et recommencez la connexion depuis cette application. Si cela se reproduit, "
                    + "demandez de l’aide à la personne qui s’en occupe."),
            passedOn: Notice(
                heading: "Continuez dans votre application",
                explanation:
                    "Votre navigateur a été dirigé vers \(.app) sur cet ordinateur, avec la réponse de votre service "
                    + "de connexion.",
                next:
                    "S’il a affiché une erreur, \(.app) n’attend plus cette connexion\u{A0}: recommencez depuis cette "
                    + "application."),
            confirmStart: StartConfirmation(
                heading: "Avez-vous lancé cette connexion\u{202F}?",
                atAddress: "Un programme à l’adresse \(.address) vous demande de vous connecter à \(.app). Votre "
                    + "navigateur est à une autre adresse.",
                onThisMachine: "Un programme sur la machine même de cette passerelle vous demande de vous connecter à "
                    + "\(.app). Votre navigateur est ailleurs.",
                somewhere:
                    "Un programme vous demande de vous connecter à \(.app). On ne peut pas savoir où se trouve ce "
                    + "programme.",
                warning:
                    "Si vous n’avez pas lancé cette connexion vous-même, ne continuez pas. Si quelqu’un vous a envoyé "
                    + "ce lien, c’est une attaque\u{A0}: on cherche à accéder à votre compte.",
                proceed: "Continuer vers la connexion"),
            neutral: Notice(
                heading: "Rien à afficher ici",
                explanation: "Seul le navigateur qui a servi à la connexion peut en voir le résultat.",
                next: "Si vous étiez en train de vous connecter, revenez à votre application\u{A0}: elle connaît le "
                    + "résultat. Vous pouvez fermer cet onglet."),
            startedElsewhere: Notice(
                heading: "Cette connexion a été lancée dans un autre navigateur",
                explanation:
                    "Elle ne peut se terminer que là où elle a été lancée. Ce que votre service de connexion a "
                    + "envoyé à ce navigateur n’est plus accepté, même là-bas.",
                next:
                    "Si quelqu’un vous a envoyé le lien de cette connexion, c’est peut-être une attaque\u{A0}: prévenez "
                    + "votre service informatique. Pour vous connecter vous-même, partez de votre application."),
            fragment: FragmentWords(
                sending: Notice(
                    heading: "Votre connexion se termine",
                    explanation: "La réponse de votre service de connexion est en route vers votre application.",
                    next: "Cela prend quelques secondes."),
                needsScript: Notice(
                    heading: "Votre connexion n’est pas encore terminée",
                    explanation: "Cette page a besoin d’un script pour transmettre la réponse de votre service de "
                        + "connexion. Autorisez les scripts pour cette page et rechargez-la, ou recommencez depuis votre "
                        + "application.",
                    next:
                        "Ne copiez pas l’adresse de cette page et ne l’envoyez à personne, même si on vous le demande.")
            ),
            refused: refused,
            notMe: "Ce n’était pas moi",
            askedFrom: "Demande venue de",
            thisMachine: "la machine même de cette passerelle",
            unknownPlace: "un endroit que l’on ne peut pas connaître",
            sameAddress: "la même adresse que ce navigateur",
            askedAt: "Heure de la demande",
            hostClaim: "Le programme dit s’exécuter sur",
            answerSays: "La réponse dit (personne ne l’a vérifié)",
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
        case .notMe:
            (
                "La connexion à \(.app) a été interrompue, car vous avez dit que ce n’était pas vous. Personne n’a obtenu "
                    + "d’accès.",
                "Vous pouvez fermer cet onglet. Si quelqu’un vous a envoyé le lien, prévenez votre service informatique."
            )
        case .wrongCode:
            (
                "Trop de codes erronés ont été saisis\u{202F}; la connexion à \(.app) a donc été interrompue. Personne n’a obtenu "
                    + "d’accès.",
                "Si c’était vous, recommencez depuis \(.app). Sinon, quelqu’un d’autre a peut-être essayé d’accéder à votre "
                    + "compte\u{A0}: prévenez votre service informatique."
            )
        case .releaseExpired:
            (
                "Le code n’a pas été saisi à temps\u{202F}; la connexion à \(.app) a donc été interrompue. Personne n’a obtenu "
                    + "d’accès.",
                "Fermez cet onglet et recommencez depuis \(.app)."
            )
        case .codeNotTaken:
            (
                "Le code a été saisi si tard que votre service de connexion n’accepte plus la connexion à \(.app).",
                "Recommencez depuis \(.app) et saisissez le code dès que vous le voyez."
            )
        case .declinedScopes:
            (
                "\(.app) n’a pas obtenu toutes les autorisations nécessaires\u{202F}; la connexion n’a donc pas abouti.",
                "Recommencez depuis \(.app) et acceptez ce qui est demandé. Si vous ne le pouvez pas, demandez à votre "
                    + "service informatique."
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
        case .ended:
            Notice(
                heading: "Cette connexion est terminée",
                explanation: "Elle a déjà abouti ou a été interrompue, et son lien ne peut plus servir.",
                next:
                    "Si vous voulez toujours vous connecter, fermez cet onglet et recommencez depuis votre application."
            )
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
        case .wrongResponseMode:
            Notice(
                heading: "Cette réponse est arrivée d’une autre manière que prévu",
                explanation:
                    "Votre application l’avait demandée sous une autre forme\u{202F}; rien n’en a donc été fait.",
                next: keepAddress)
        case .responseNotTrusted:
            Notice(
                heading: "Cette réponse n’a pas pu être vérifiée",
                explanation:
                    "Rien ne prouve qu’elle vient de votre service de connexion\u{202F}; rien n’en a donc été fait.",
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
                explanation:
                    "Votre navigateur a chargé cette adresse à l’avance, ou une autre page l’a fait, et cela ne connecte personne.",
                next: "Rechargez cette page pour continuer.")
        case .unavailable:
            Notice(
                heading: "La connexion n’est pas disponible",
                explanation: "Ce service ne peut pas répondre pour le moment.",
                next: "Attendez une minute, puis rechargez cette page.")
        }
    }
}
