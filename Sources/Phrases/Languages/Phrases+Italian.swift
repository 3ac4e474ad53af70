internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let italian = Phrases(
        signIn: .italian, endings: .italian, question: .italian, facts: .italian, frame: .italian, notices: .italian,
        refusals: .italian, farMachine: .italian, loopback: .italian,
        desktop: .italian)
}

extension SignInPhrases {
    fileprivate static let italian = SignInPhrases(
        collected: Notice(
            heading: "Accesso effettuato",
            explanation: "\(.app) ha ricevuto il tuo accesso.",
            next: "Puoi chiudere questa scheda e tornare a \(.app)."),
        waitingForApp: Notice(
            heading: "Ci siamo quasi",
            explanation: "L’accesso è riuscito, ma \(.app) non lo ha ancora ritirato.",
            next: "Torna a \(.app) e controlla che sia ancora in esecuzione. Questa scheda non serve più."),
        redeeming: Notice(
            heading: "Completamento dell’accesso",
            explanation: "Il tuo accesso a \(.app) sta per essere completato.",
            next: "Ci vorrà qualche secondo."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Scrivi questo codice nel programma che hai avviato",
            explanation: "Il tuo accesso a \(.app) continuerà appena quel programma avrà questo codice:",
            // safety: type it only into a program that you started yourself
            next: "Scrivilo solo nel programma che hai avviato tu: un’app, un terminale, il tuo agente di "
                + "programmazione. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Nessuno te lo chiederà: né per telefono, né per email, né con un messaggio. Chi te lo chiede vuole "
                + "entrare nel tuo account."),
        returning: Notice(
            heading: "Ritorno alla tua app",
            explanation: "Stai tornando a \(.app), che completerà l’accesso.",
            next: "Se non succede nulla, usa questo link:"),
        openApp: "Torna a \(.app)",
        delivered: Notice(
            heading: "Continua nella tua app",
            explanation: "\(.app) ha ricevuto la risposta del tuo servizio di accesso.",
            next: "Puoi chiudere questa scheda e tornare a \(.app), che ti mostra com’è andato l’accesso."),
        delivering: Notice(
            heading: "La tua app viene contattata",
            explanation: "La risposta del tuo servizio di accesso sta arrivando a \(.app).",
            next: "Ci vorrà qualche secondo, o di più se \(.app) deve prima avviarsi."),
        undelivered: Notice(
            heading: "Non è stato possibile contattare la tua app",
            explanation: "\(.app) non ha preso la risposta del tuo servizio di accesso: non è in esecuzione qui o non "
                + "risponde.",
            next: "Apri \(.app) e ricomincia l’accesso da lì. Se succede di nuovo, chiedi aiuto a chi se ne occupa."),
        passedOn: Notice(
            heading: "Continua nella tua app",
            explanation: "Il tuo browser è stato indirizzato a \(.app) su questo computer, con la risposta del tuo "
                + "servizio di accesso.",
            next: "Se invece ha mostrato un errore, \(.app) non aspetta più questo accesso: ricomincia da lì."))
}

extension EndingPhrases {
    fileprivate static let italian = EndingPhrases(
        heading: "Accesso non effettuato",
        accessDenied: Ending(
            "L’accesso a \(.app) è stato rifiutato, da te o da una regola della tua organizzazione.",
            "Per riprovare, chiudi questa scheda e parti da \(.app)."),
        canceled: Ending(
            "L’accesso a \(.app) è stato annullato.",
            "Puoi chiudere questa scheda. Se vuoi comunque accedere, ricomincia da \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "L’accesso a \(.app) è stato interrotto, perché hai detto che non eri tu. Nessuno ha ottenuto l’accesso al "
                + "tuo account.",
            // safety: if somebody sent you the link, tell your IT department
            "Puoi chiudere questa scheda. Se qualcuno ti ha mandato il link, avvisa il tuo reparto informatico."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Sono stati scritti troppi codici sbagliati, quindi l’accesso a \(.app) è stato interrotto. Nessuno ha "
                + "ottenuto l’accesso al tuo account.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Se eri tu, ricomincia da \(.app). Se no, forse qualcun altro ha cercato di entrare nel tuo account: "
                + "avvisa il tuo reparto informatico."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Il codice non è stato scritto in tempo, quindi l’accesso a \(.app) è stato interrotto. Nessuno ha "
                + "ottenuto l’accesso al tuo account.",
            "Chiudi questa scheda e ricomincia da \(.app)."),
        codeNotTaken: Ending(
            "Il codice è stato scritto così tardi che il tuo servizio di accesso non accetta più l’accesso a \(.app).",
            "Ricomincia da \(.app) e scrivi il codice appena lo vedi."),
        declinedScopes: Ending(
            "\(.app) non ha ottenuto tutte le autorizzazioni necessarie, quindi l’accesso non è stato completato.",
            "Ricomincia da \(.app) e consenti quello che chiede. Se non puoi, chiedi al tuo reparto informatico."),
        expired: Ending(
            "L’accesso a \(.app) ha richiesto troppo tempo ed è scaduto.",
            "Chiudi questa scheda e ricomincia da \(.app)."),
        interactionRequired: Ending(
            "Il tuo servizio di accesso ti chiede ancora un passaggio prima che \(.app) possa continuare.",
            "Chiudi questa scheda e ricomincia da \(.app)."),
        protectionPolicyRequired: Ending(
            "La tua organizzazione consente \(.app) solo su dispositivi o in app gestiti da essa.",
            "Chiedi al tuo reparto informatico come soddisfare questo requisito, poi ricomincia da \(.app)."),
        issuerUnavailable: Ending(
            "Il tuo servizio di accesso ha dei problemi e non ha completato l’accesso a \(.app).",
            "Aspetta qualche minuto, poi ricomincia da \(.app)."),
        issuerRefused: Ending(
            "Il tuo servizio di accesso non ha accettato la richiesta di \(.app).",
            "Ricomincia da \(.app). Se succede di nuovo, chiedi aiuto a chi se ne occupa."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Non è stato possibile verificare la risposta del tuo servizio di accesso, quindi \(.app) non l’ha "
                + "ricevuta.",
            "Ricomincia da \(.app). Se succede di nuovo, chiedi aiuto a chi se ne occupa."),
        internalError: Ending(
            "Qui qualcosa non ha funzionato e l’accesso a \(.app) non è stato completato.",
            "Ricomincia da \(.app). Se succede di nuovo, chiedi aiuto a chi se ne occupa."))
}

extension QuestionPhrases {
    fileprivate static let italian = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Hai avviato tu questo accesso?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Un programma all’indirizzo \(.address) ti chiede di accedere a \(.app). Il tuo browser è a un "
            + "altro indirizzo.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Un programma sul server che mostra questa pagina ti chiede di accedere a \(.app). Il tuo "
            + "browser è altrove.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Un programma ti chiede di accedere a \(.app). Non si sa dove si trovi quel programma.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Se non l’hai avviato tu, non continuare. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Se qualcuno ti ha mandato questo link, è un attacco: vuole entrare nel tuo account.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "È il gestore di \(.host), non il programma, a ottenere l’accesso che consenti.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Non ero io",
        proceed: "Continua con l’accesso")
}

extension FactPhrases {
    fileprivate static let italian = FactPhrases(
        askedFrom: "Origine della richiesta",
        thisMachine: "il server che mostra questa pagina",
        // safety: the place is not known
        unknownPlace: "un luogo sconosciuto",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "lo stesso indirizzo di questo browser",
        askedAt: "Ora della richiesta",
        // safety: only the program says so
        hostClaim: "Il programma dice di essere in esecuzione su",
        resource: "Accesso a",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "La risposta dice (nessuno lo ha verificato)",
        reference: "Riferimento, se chiedi aiuto")
}

extension FramePhrases {
    fileprivate static let italian = FramePhrases(
        updatesItself: "Questa pagina mostra da sola quando qualcosa cambia.",
        reloadToUpdate: "Ricarica questa pagina per vedere se è cambiato qualcosa.",
        reload: "Ricarica",
        changed: "Qualcosa è cambiato: la pagina viene ricaricata.",
        unreachable: "Al momento questo servizio non è raggiungibile. La pagina continua a riprovare.",
        stoppedLooking: "Questa pagina non cerca più novità da sola. Ricaricala per vedere se è cambiato qualcosa.",
        help: "Aiuto",
        privacy: "Informativa sulla privacy")
}

extension NoticePhrases {
    fileprivate static let italian = NoticePhrases(
        neutral: Notice(
            heading: "Niente da mostrare qui",
            explanation: "Solo il browser che ha effettuato l’accesso può vedere com’è andato.",
            next: "Se stavi effettuando l’accesso, torna alla tua app: conosce il risultato. Puoi chiudere questa "
                + "scheda."),
        startedElsewhere: Notice(
            heading: "Questo accesso è stato avviato in un altro browser",
            // safety: it can only be finished in the browser where it was started
            explanation: "Può essere completato solo dove è stato avviato. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Quello che il tuo servizio di accesso ha inviato a questo browser non viene più accettato, nemmeno "
                + "lì.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Se qualcuno ti ha mandato il link di questo accesso, può essere un attacco: avvisa il tuo reparto "
                + "informatico. Se vuoi accedere tu, parti dalla tua app."),
        sendingFragment: Notice(
            heading: "Completamento dell’accesso",
            explanation: "La risposta del tuo servizio di accesso sta arrivando alla tua app.",
            next: "Ci vorrà qualche secondo."),
        fragmentNeedsScript: Notice(
            heading: "Il tuo accesso non è ancora completato",
            explanation: "Questa pagina ha bisogno di uno script per trasmettere la risposta del tuo servizio di "
                + "accesso. Consenti gli script per questa pagina e ricaricala, oppure ricomincia dalla tua app.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Non copiare l’indirizzo di questa pagina e non mandarlo a nessuno, anche se ti viene chiesto."))
}

private let startAgain = "Chiudi questa scheda e ricomincia dalla tua app."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Non copiare l’indirizzo di questa pagina e non mandarlo a nessuno, anche se ti viene chiesto. Se vuoi accedere, "
    + "chiudi questa scheda e ricomincia dalla tua app."

extension RefusalPhrases {
    fileprivate static let italian = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Questo accesso non è stato avviato dalla tua app",
            explanation: "Nessuna app lo aspetta, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        expired: Notice(
            heading: "Questo accesso è scaduto",
            explanation: "Ha richiesto troppo tempo e la tua app non lo aspetta più.",
            next: startAgain),
        ended: Notice(
            heading: "Questo accesso è terminato",
            explanation: "Era già stato completato o interrotto, e il suo link non si può più usare.",
            next: "Se vuoi ancora accedere, chiudi questa scheda e ricomincia dalla tua app."),
        wrongRedirectURI: Notice(
            heading: "Questo accesso è arrivato all’indirizzo sbagliato",
            explanation: "Appartiene a un’altra app, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Questa risposta viene dal servizio di accesso sbagliato",
            explanation: "Non viene dal servizio interpellato dalla tua app, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Questa risposta è arrivata nel modo sbagliato",
            explanation: "La tua app l’aveva chiesta in un’altra forma, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Non è stato possibile verificare questa risposta",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Non dimostra di venire dal tuo servizio di accesso, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Questo accesso è illeggibile",
            explanation: "Una parte della risposta compariva due volte, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Questo accesso è incompleto",
            explanation: "La risposta non dice né che l’accesso è riuscito né che è fallito.",
            next: startAgain),
        malformed: Notice(
            heading: "Questo accesso è illeggibile",
            explanation: "La risposta è danneggiata o si contraddice, quindi non ne è stato fatto nulla.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Questo accesso è stato avviato in un altro browser",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Può essere completato solo dove è stato avviato, quindi non ne è stato fatto nulla.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Questo accesso è già stato usato",
            // safety: it came again with another code, which was not accepted
            explanation: "È arrivato di nuovo con un altro codice, che non è stato accettato.",
            next: keepAddress),
        notFound: Notice(
            heading: "A questo indirizzo non c’è niente",
            explanation: "L’indirizzo potrebbe essere scritto male o non più valido.",
            next: "Se stavi effettuando l’accesso, chiudi questa scheda e ricomincia dalla tua app."),
        wrongForm: Notice(
            heading: "Questa richiesta non è stata accettata",
            explanation: "È stata inviata in una forma che questo indirizzo non accetta.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Questa richiesta è troppo grande",
            explanation: "È più lunga di qualsiasi accesso, quindi non è stata letta.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Troppe richieste",
            explanation: "Dalla tua rete sono arrivate più richieste di quante se ne possano gestire ora.",
            next: "Aspetta un minuto, poi ricarica questa pagina."),
        prefetch: Notice(
            heading: "Non è ancora successo niente",
            explanation: "Il tuo browser o un’altra pagina ha caricato questo indirizzo in anticipo, e questo non fa "
                + "accedere nessuno.",
            next: "Ricarica questa pagina per continuare."),
        unavailable: Notice(
            heading: "L’accesso non è disponibile in questo momento",
            explanation: "Questo servizio non può rispondere al momento.",
            next: "Aspetta un minuto, poi ricarica questa pagina."))
}

extension FarMachinePhrases {
    fileprivate static let italian = FarMachinePhrases(
        consent: .italian,
        refused: Message(
            heading: "Non è stato aperto nulla",
            // safety: the program on the other machine gets nothing
            text: "Il programma sull’altro computer non ottiene nulla. Puoi chiudere questa scheda."),
        ended: Message(
            heading: "Questo accesso è terminato",
            text: "Ha richiesto troppo tempo, o il suo programma non c’è più. Ricomincia in quel programma."),
        alreadyDelivered: Message(
            heading: "Questo accesso è già stato trasmesso",
            text: "Puoi chiudere questa scheda e tornare al tuo programma."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Non hai avviato tu questo accesso",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Non è stato trasmesso nulla. Non dare a nessuno l’indirizzo di questa pagina."),
        notHere: Message(
            heading: "Qui non c’è niente",
            text: "Un programma su un altro computer aspetta un accesso a un altro indirizzo."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Non lo hai chiesto tu",
            // safety: a page asked in the background, and nothing was passed on
            text: "Una pagina lo ha chiesto in background. Non è stato trasmesso nulla."),
        toolGone: Message(
            heading: "Il programma non aspetta più",
            text: "Si è chiuso o ha smesso di aspettare prima che l’accesso tornasse. Avvialo di nuovo."),
        toolResponseUnusable: Message(
            heading: "L’accesso è stato trasmesso",
            text: "La risposta del programma non può essere mostrata qui. Torna al programma per vedere com’è andato "
                + "l’accesso."))
}

extension ConsentPhrases {
    fileprivate static let italian = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Hai appena avviato tu questo accesso?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Un programma su \(.host) chiede a questo browser di accedere a \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Continua solo se lo hai appena avviato tu lì: "
            // safety: the people who control HOST get everything that you are about to allow
            + "chi controlla \(.host) ottiene quello che stai per consentire.",
        host: "Richiesto dal computer",
        issuer: "Servizio di accesso",
        path: "Pagina di quel servizio",
        // safety: the name of the program is a claim of the far machine
        client: "Programma (client ID), secondo quel computer",
        scope: "Autorizzazioni richieste",
        noScope: "non indicate",
        resource: "Autorizzazione per questo servizio",
        details: "Dettagli dell’autorizzazione",
        prompt: "Come deve chiedere quel servizio (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let italian = LoopbackPhrases(
        signedIn: Message(
            heading: "Accesso effettuato",
            text: "Puoi chiudere questa scheda e tornare alla tua app."),
        failed: Message(
            heading: "Accesso non effettuato",
            text: "Torna alla tua app: dice il motivo, e lì puoi riprovare."),
        taken: Message(
            heading: "Questo accesso è terminato",
            text: "Era già stato completato o interrotto. Puoi chiudere questa scheda e tornare alla tua app."),
        tooLate: Message(
            heading: "Nessuna app aspetta questo accesso",
            text: "Ha richiesto troppo tempo o è stato annullato. Ricomincia dalla tua app."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Questo accesso non è stato avviato dalla tua app",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Non ne è stato fatto nulla. Non copiare l’indirizzo di questa pagina e non mandarlo a nessuno, "
                + "anche se ti viene chiesto."),
        notHere: Message(
            heading: "A questo indirizzo non c’è niente",
            text: "Un’app su questo computer aspetta un accesso a un altro indirizzo."),
        notOwnUser: Message(
            heading: "Questa pagina è per un altro utente",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Un’app su questo computer aspetta il browser del proprio utente, e non è sicuro che sia questo. Non "
                + "è stato fatto nulla."))
}

extension DesktopPhrases {
    fileprivate static let italian = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Un’app non può farti accedere",
            text: "Il file con le sue impostazioni contiene un errore e non viene usato. `switchyard doctor "
                + "--desktop` dice quale file è."),
        noApp: Message(
            heading: "Questo accesso non appartiene a nessuna app",
            text: "Nessuna app di questa sessione ha l’indirizzo a cui è stato mandato il tuo browser. "
                // safety: do not give the address to anybody
                + "Non darlo a nessuno."),
        notAwaited: Message(
            heading: "Nessuna app aspetta questo accesso",
            text: "Non è stato avviato da un’app di questa sessione, oppure quell’app non aspetta più. "
                // safety: do not give the address of the page to anybody
                + "Non dare a nessuno l’indirizzo della pagina. "
                + "Per accedere, ricomincia dalla tua app."),
        used: Message(
            heading: "Questo accesso è già stato usato",
            text: "Torna alla tua app. Se aspetta ancora, ricomincia da lì."),
        expired: Message(
            heading: "Questo accesso ha richiesto troppo tempo",
            text: "Ricomincia dalla tua app."),
        appIsGone: Message(
            heading: "La tua app non è raggiungibile",
            text: "Avviala e accedi di nuovo da lì."),
        outOfReach: Message(
            heading: "Non è stato possibile consegnare il tuo accesso",
            text: "Il programma che lo porta alla tua app non si avvia. `switchyard doctor` dice perché. Poi "
                + "ricomincia dalla tua app."),
        keyringLocked: Message(
            heading: "Il tuo accesso non è ancora salvato",
            text: "Il portachiavi è bloccato. Sbloccalo e l’accesso si salverà da solo. Altrimenti dovrai "
                + "accedere di nuovo nella prossima sessione."),
        signInNeeded: Message(
            heading: "Un programma attende il tuo accesso",
            text: "Vuole usare per conto tuo il server indicato sotto. "
                // safety: sign in only if you expect it
                + "Solo se te lo aspetti, apri l’indirizzo nel browser e accedi."),
        notSaved: Message(
            heading: "Il tuo accesso non è ancora salvato",
            text: "Qualcosa lo impedisce, per esempio un disco pieno; forse `switchyard doctor` dice che cosa. "
                + "Dopo, l’accesso si salverà da solo. Altrimenti dovrai accedere di nuovo nella "
                + "prossima sessione."))
}
