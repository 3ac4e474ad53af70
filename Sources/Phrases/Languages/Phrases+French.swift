internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let french = Phrases(
        signIn: .french, endings: .french, question: .french, facts: .french, frame: .french, notices: .french,
        refusals: .french, farMachine: .french, loopback: .french,
        desktop: .french)
}

extension SignInPhrases {
    fileprivate static let french = SignInPhrases(
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
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Saisissez ce code dans le programme que vous avez lancé",
            explanation: "Votre connexion à \(.app) reprendra dès que ce programme aura reçu ce code\u{A0}:",
            // safety: type it only into a program that you started yourself
            next: "Ne le saisissez que dans le programme que vous avez lancé vous-même\u{A0}: une application, un "
                + "terminal, votre propre agent de programmation. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Personne ne vous le demandera, ni par téléphone, ni par courriel, ni par message. Quiconque vous le "
                + "demande veut accéder à votre compte."),
        returning: Notice(
            heading: "Retour à votre application",
            explanation: "Vous allez revenir à \(.app), qui terminera la connexion.",
            next: "Si rien ne se passe, suivez ce lien\u{A0}:"),
        openApp: "Revenir à \(.app)",
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
            explanation: "\(.app) n’a pas reçu la réponse de votre service de connexion\u{A0}: elle n’est pas ouverte "
                + "ici, ou ne répond pas.",
            next: "Ouvrez \(.app) et recommencez la connexion depuis cette application. Si cela se reproduit, demandez "
                + "de l’aide à la personne qui s’en occupe."),
        passedOn: Notice(
            heading: "Continuez dans votre application",
            explanation: "Votre navigateur a été dirigé vers \(.app) sur cet ordinateur, avec la réponse de votre "
                + "service de connexion.",
            next: "S’il a affiché une erreur, \(.app) n’attend plus cette connexion\u{A0}: recommencez depuis cette "
                + "application."))
}

extension EndingPhrases {
    fileprivate static let french = EndingPhrases(
        heading: "La connexion n’a pas abouti",
        accessDenied: Ending(
            "La connexion à \(.app) a été refusée, par vous ou par une règle de votre organisation.",
            "Pour réessayer, fermez cet onglet et recommencez depuis \(.app)."),
        canceled: Ending(
            "La connexion à \(.app) a été annulée.",
            "Vous pouvez fermer cet onglet. Pour vous connecter malgré tout, recommencez depuis \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "La connexion à \(.app) a été interrompue, car vous avez dit que ce n’était pas vous. Personne n’a obtenu "
                + "d’accès.",
            // safety: if somebody sent you the link, tell your IT department
            "Vous pouvez fermer cet onglet. Si quelqu’un vous a envoyé le lien, prévenez votre service informatique."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Trop de codes erronés ont été saisis\u{202F}; la connexion à \(.app) a donc été interrompue. Personne n’a "
                + "obtenu d’accès.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Si c’était vous, recommencez depuis \(.app). Sinon, quelqu’un d’autre a peut-être essayé d’accéder à "
                + "votre compte\u{A0}: prévenez votre service informatique."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Le code n’a pas été saisi à temps\u{202F}; la connexion à \(.app) a donc été interrompue. Personne n’a "
                + "obtenu d’accès.",
            "Fermez cet onglet et recommencez depuis \(.app)."),
        codeNotTaken: Ending(
            "Le code a été saisi si tard que votre service de connexion n’accepte plus la connexion à \(.app).",
            "Recommencez depuis \(.app) et saisissez le code dès que vous le voyez."),
        declinedScopes: Ending(
            "\(.app) n’a pas obtenu toutes les autorisations nécessaires\u{202F}; la connexion n’a donc pas abouti.",
            "Recommencez depuis \(.app) et acceptez ce qui est demandé. Si vous ne le pouvez pas, demandez à votre "
                + "service informatique."),
        expired: Ending(
            "La connexion à \(.app) a pris trop de temps et a expiré.",
            "Fermez cet onglet et recommencez depuis \(.app)."),
        interactionRequired: Ending(
            "Votre service de connexion vous demande une étape de plus avant que \(.app) puisse continuer.",
            "Fermez cet onglet et recommencez depuis \(.app)."),
        protectionPolicyRequired: Ending(
            "Votre organisation n’autorise \(.app) que sur les appareils ou dans les applications qu’elle gère.",
            "Demandez à votre service informatique comment remplir cette condition, puis recommencez depuis \(.app)."),
        issuerUnavailable: Ending(
            "Votre service de connexion rencontre un problème et n’a pas terminé la connexion à \(.app).",
            "Attendez quelques minutes, puis recommencez depuis \(.app)."),
        issuerRefused: Ending(
            "Votre service de connexion n’a pas accepté la demande de \(.app).",
            "Recommencez depuis \(.app). Si cela se reproduit, demandez de l’aide à la personne qui s’en occupe."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "La réponse de votre service de connexion n’a pas pu être vérifiée. \(.app) ne l’a donc pas reçue.",
            "Recommencez depuis \(.app). Si cela se reproduit, demandez de l’aide à la personne qui s’en occupe."),
        internalError: Ending(
            "Une erreur s’est produite ici et la connexion à \(.app) n’a pas abouti.",
            "Recommencez depuis \(.app). Si cela se reproduit, demandez de l’aide à la personne qui s’en occupe."))
}

extension QuestionPhrases {
    fileprivate static let french = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Avez-vous lancé cette connexion\u{202F}?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Un programme à l’adresse \(.address) vous demande de vous connecter à \(.app). Votre navigateur "
            + "est à une autre adresse.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Un programme sur le serveur qui affiche cette page vous demande de vous connecter à \(.app). "
            + "Votre navigateur est ailleurs.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Un programme vous demande de vous connecter à \(.app). On ne peut pas savoir où se trouve ce "
            + "programme.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Si vous n’avez pas lancé cette connexion vous-même, ne continuez pas. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Si quelqu’un vous a envoyé ce lien, c’est une attaque\u{A0}: on cherche à accéder à votre compte.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "C’est l’exploitant de \(.host), et non le programme, qui obtient l’accès que vous "
            + "autorisez.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Ce n’était pas moi",
        proceed: "Continuer vers la connexion")
}

extension FactPhrases {
    fileprivate static let french = FactPhrases(
        askedFrom: "Demande venue de",
        thisMachine: "le serveur qui affiche cette page",
        // safety: the place is not known
        unknownPlace: "un endroit que l’on ne peut pas connaître",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "la même adresse que ce navigateur",
        askedAt: "Heure de la demande",
        // safety: only the program says so
        hostClaim: "Le programme dit s’exécuter sur",
        resource: "Accès à",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "La réponse dit (personne ne l’a vérifié)",
        reference: "Référence, si vous demandez de l’aide")
}

extension FramePhrases {
    fileprivate static let french = FramePhrases(
        updatesItself: "Cette page montre d’elle-même quand quelque chose change.",
        reloadToUpdate: "Rechargez cette page pour voir si quelque chose a changé.",
        reload: "Recharger",
        changed: "Quelque chose a changé\u{A0}: la page est en cours de rechargement.",
        unreachable: "Ce service est injoignable pour le moment. La page continue d’essayer.",
        stoppedLooking: "Cette page ne cherche plus les changements d’elle-même. Rechargez-la pour voir si quelque "
            + "chose a changé.",
        help: "Aide",
        privacy: "Confidentialité")
}

extension NoticePhrases {
    fileprivate static let french = NoticePhrases(
        neutral: Notice(
            heading: "Rien à afficher ici",
            explanation: "Seul le navigateur qui a servi à la connexion peut en voir le résultat.",
            next: "Si vous étiez en train de vous connecter, revenez à votre application\u{A0}: elle connaît le "
                + "résultat. Vous pouvez fermer cet onglet."),
        startedElsewhere: Notice(
            heading: "Cette connexion a été lancée dans un autre navigateur",
            // safety: it can only be finished in the browser where it was started
            explanation: "Elle ne peut se terminer que là où elle a été lancée. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Ce que votre service de connexion a envoyé à ce navigateur n’est plus accepté, même là-bas.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Si quelqu’un vous a envoyé le lien de cette connexion, c’est peut-être une attaque\u{A0}: prévenez "
                + "votre service informatique. Pour vous connecter vous-même, partez de votre application."),
        sendingFragment: Notice(
            heading: "Votre connexion se termine",
            explanation: "La réponse de votre service de connexion est en route vers votre application.",
            next: "Cela prend quelques secondes."),
        fragmentNeedsScript: Notice(
            heading: "Votre connexion n’est pas encore terminée",
            explanation: "Cette page a besoin d’un script pour transmettre la réponse de votre service de connexion. "
                + "Autorisez les scripts pour cette page et rechargez-la, ou recommencez depuis votre application.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Ne copiez pas l’adresse de cette page et ne l’envoyez à personne, même si on vous le demande."))
}

private let startAgain = "Fermez cet onglet et recommencez depuis votre application."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Ne copiez pas l’adresse de cette page et ne l’envoyez à personne, même si on vous le demande. "
    + "Si vous voulez vous connecter, fermez cet onglet et recommencez depuis votre application."

extension RefusalPhrases {
    fileprivate static let french = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Cette connexion n’a pas été lancée par votre application",
            explanation: "Aucune application ne l’attend\u{202F}; rien n’en a donc été fait.",
            next: keepAddress),
        expired: Notice(
            heading: "Cette connexion a expiré",
            explanation: "Elle a pris trop de temps et votre application ne l’attend plus.",
            next: startAgain),
        ended: Notice(
            heading: "Cette connexion est terminée",
            explanation: "Elle a déjà abouti ou a été interrompue, et son lien ne peut plus servir.",
            next: "Si vous voulez toujours vous connecter, fermez cet onglet et recommencez depuis votre application."),
        wrongRedirectURI: Notice(
            heading: "Cette connexion est arrivée à la mauvaise adresse",
            explanation: "Elle appartient à une autre application\u{202F}; rien n’en a donc été fait.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Cette réponse vient du mauvais service de connexion",
            explanation: "Ce n’est pas celui que votre application a interrogé\u{202F}; rien n’en a donc été fait.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Cette réponse est arrivée d’une autre manière que prévu",
            explanation: "Votre application l’avait demandée sous une autre forme\u{202F}; rien n’en a donc été fait.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Cette réponse n’a pas pu être vérifiée",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Rien ne prouve qu’elle vient de votre service de connexion\u{202F}; rien n’en a donc été "
                + "fait.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Cette connexion est illisible",
            explanation: "Une partie de la réponse s’y trouvait deux fois\u{202F}; rien n’en a donc été fait.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Cette connexion est incomplète",
            explanation: "La réponse ne dit ni que la connexion a réussi, ni qu’elle a échoué.",
            next: startAgain),
        malformed: Notice(
            heading: "Cette connexion est illisible",
            explanation: "La réponse est abîmée ou se contredit\u{202F}; rien n’en a donc été fait.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Cette connexion a commencé dans un autre navigateur",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Elle ne peut se terminer que là où elle a commencé\u{202F}; rien n’en a donc été fait.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Cette connexion a déjà servi",
            // safety: it came again with another code, which was not accepted
            explanation: "Elle est revenue avec un autre code, qui n’a pas été accepté.",
            next: keepAddress),
        notFound: Notice(
            heading: "Il n’y a rien à cette adresse",
            explanation: "L’adresse est peut-être mal écrite ou périmée.",
            next: "Si vous étiez en train de vous connecter, fermez cet onglet et recommencez depuis votre "
                + "application."),
        wrongForm: Notice(
            heading: "Cette demande n’a pas été acceptée",
            explanation: "Elle a été envoyée sous une forme que cette adresse ne prend pas.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Cette demande est trop longue",
            explanation: "Aucune connexion n’est aussi longue\u{202F}; elle n’a donc pas été lue.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Trop de demandes",
            explanation: "Votre réseau a envoyé plus de demandes qu’il n’est possible d’en traiter.",
            next: "Attendez une minute, puis rechargez cette page."),
        prefetch: Notice(
            heading: "Rien ne s’est encore passé",
            explanation: "Votre navigateur a chargé cette adresse à l’avance, ou une autre page l’a fait, et cela ne "
                + "connecte personne.",
            next: "Rechargez cette page pour continuer."),
        unavailable: Notice(
            heading: "La connexion n’est pas disponible",
            explanation: "Ce service ne peut pas répondre pour le moment.",
            next: "Attendez une minute, puis rechargez cette page."))
}

extension FarMachinePhrases {
    fileprivate static let french = FarMachinePhrases(
        consent: .french,
        refused: Message(
            heading: "Rien n’a été ouvert",
            // safety: the program on the other machine gets nothing
            text: "Le programme de l’autre machine n’obtient rien. Vous pouvez fermer cet onglet."),
        ended: Message(
            heading: "Cette connexion est terminée",
            text: "Elle a pris trop de temps, ou son programme n’est plus là. Recommencez dans ce programme."),
        alreadyDelivered: Message(
            heading: "Cette connexion a déjà été transmise",
            text: "Vous pouvez fermer cet onglet et revenir à votre programme."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Vous n’avez pas lancé cette connexion",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Rien n’a été transmis. Ne donnez l’adresse de cette page à personne."),
        notHere: Message(
            heading: "Il n’y a rien ici",
            text: "Un programme d’une autre machine attend une connexion à une autre adresse."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Vous n’avez pas demandé cela",
            // safety: a page asked in the background, and nothing was passed on
            text: "Une page l’a demandé en arrière-plan. Rien n’a été transmis."),
        toolGone: Message(
            heading: "Le programme n’attend plus",
            text: "Il s’est terminé, ou n’attendait plus, avant le retour de la connexion. Relancez-le."),
        toolResponseUnusable: Message(
            heading: "La connexion a été transmise",
            text: "La réponse du programme ne peut pas être affichée ici. Revenez-y pour voir le résultat."))
}

extension ConsentPhrases {
    fileprivate static let french = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Venez-vous de lancer cette connexion\u{202F}?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Un programme sur \(.host) demande à ce navigateur de se connecter à \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Continuez seulement si vous venez de la lancer là-bas\u{A0}: "
            // safety: the people who control HOST get everything that you are about to allow
            + "qui contrôle \(.host) obtient ce que vous allez autoriser.",
        host: "Demandé par la machine",
        issuer: "Service de connexion",
        path: "Page de ce service",
        // safety: the name of the program is a claim of the far machine
        client: "Programme (client ID), selon cette machine",
        scope: "Accès demandé",
        noScope: "non précisé",
        resource: "Accès à ce service",
        details: "Détails de cet accès",
        prompt: "Comment ce service doit demander (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let french = LoopbackPhrases(
        signedIn: Message(
            heading: "Connexion réussie",
            text: "Vous pouvez fermer cet onglet et revenir à votre application."),
        failed: Message(
            heading: "La connexion n’a pas abouti",
            text: "Revenez à votre application\u{A0}: elle dit pourquoi, et vous pourrez y réessayer."),
        taken: Message(
            heading: "Cette connexion est terminée",
            text: "Elle a déjà abouti ou a été interrompue. Vous pouvez fermer cet onglet et revenir à votre "
                + "application."),
        tooLate: Message(
            heading: "Aucune application n’attend cette connexion",
            text: "Elle a pris trop de temps ou a été annulée. Recommencez depuis votre application."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Cette connexion n’a pas été lancée par votre application",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Rien n’en a été fait. Ne copiez pas l’adresse de cette page et ne l’envoyez à personne, même si on "
                + "vous le demande."),
        notHere: Message(
            heading: "Il n’y a rien à cette adresse",
            text: "Une application de cet ordinateur attend une connexion à une autre adresse."),
        notOwnUser: Message(
            heading: "Cette page est pour un autre utilisateur",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Une application de cet ordinateur attend le navigateur de son propre utilisateur, et il n’est pas "
                + "certain que ce soit celui-ci. Rien n’a été fait."))
}

extension DesktopPhrases {
    fileprivate static let french = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Une application ne peut pas vous connecter",
            text: "Le fichier de ses réglages contient une erreur et n’est pas pris en compte. `switchyard "
                + "doctor --desktop` dit lequel."),
        noApp: Message(
            heading: "Cette connexion n’appartient à aucune application",
            text: "Aucune application de cette session n’a l’adresse où votre navigateur a été envoyé. "
                // safety: do not give the address to anybody
                + "Ne la donnez à personne."),
        notAwaited: Message(
            heading: "Aucune application n’attend cette connexion",
            text: "Elle n’a pas été lancée par une application de cette session, ou celle-ci n’attend plus. "
                // safety: do not give the address of the page to anybody
                + "Ne donnez l’adresse de la page à personne. "
                + "Pour vous connecter, recommencez à partir de votre application."),
        used: Message(
            heading: "Cette connexion a déjà servi",
            text: "Revenez à votre application. Si elle attend encore, recommencez à partir de là."),
        expired: Message(
            heading: "Cette connexion a pris trop de temps",
            text: "Recommencez à partir de votre application."),
        appIsGone: Message(
            heading: "Votre application est injoignable",
            text: "Lancez-la, puis connectez-vous de nouveau à partir d’elle."),
        outOfReach: Message(
            heading: "Votre connexion n’a pas pu être transmise",
            text: "Le programme qui l’apporte à votre application ne démarre pas. `switchyard doctor` dit "
                + "pourquoi. Recommencez ensuite à partir de votre application."),
        keyringLocked: Message(
            heading: "Votre connexion n’est pas encore enregistrée",
            text: "Le trousseau est verrouillé. Déverrouillez-le et elle s’enregistrera d’elle-même. Sinon, il "
                + "faudra vous connecter de nouveau à la prochaine session."),
        signInNeeded: Message(
            heading: "Un programme attend votre connexion",
            text: "Il veut utiliser en votre nom le serveur indiqué ci-dessous. "
                // safety: sign in only if you expect it
                + "Seulement si vous vous y attendez, ouvrez l’adresse dans votre navigateur et connectez-vous."),
        notSaved: Message(
            heading: "Votre connexion n’est pas encore enregistrée",
            text: "Quelque chose s’y oppose, un disque plein par exemple ; `switchyard doctor` dira peut-être "
                + "quoi. Ensuite elle s’enregistrera d’elle-même. Sinon, il faudra vous connecter de "
                + "nouveau à la prochaine session."))
}
