internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let german = Phrases(
        signIn: .german, endings: .german, question: .german, facts: .german, frame: .german, notices: .german,
        refusals: .german, farMachine: .german, loopback: .german,
        desktop: .german)
}

extension SignInPhrases {
    fileprivate static let german = SignInPhrases(
        collected: Notice(
            heading: "Sie sind angemeldet",
            explanation: "\(.app) hat Ihre Anmeldung erhalten.",
            next: "Sie können diesen Tab schließen und zu \(.app) zurückkehren."),
        waitingForApp: Notice(
            heading: "Fast fertig",
            explanation: "Ihre Anmeldung war erfolgreich, aber \(.app) hat sie noch nicht abgeholt.",
            next: "Kehren Sie zu \(.app) zurück und prüfen Sie, ob das Programm noch läuft. Diesen Tab braucht es "
                + "nicht mehr."),
        redeeming: Notice(
            heading: "Ihre Anmeldung wird abgeschlossen",
            explanation: "Ihre Anmeldung bei \(.app) wird gerade abgeschlossen.",
            next: "Das dauert einige Sekunden."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Geben Sie diesen Code in das Programm ein, das Sie gestartet haben",
            explanation: "Ihre Anmeldung bei \(.app) geht weiter, sobald dieses Programm den Code hat:",
            // safety: type it only into a program that you started yourself
            next: "Geben Sie ihn nur in das Programm ein, das Sie selbst gestartet haben: eine App, ein Terminal, "
                + "Ihren eigenen Programmier-Agenten. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Niemand wird Sie danach fragen: kein Anrufer, keine E-Mail, keine Nachricht. Wer es doch tut, will "
                + "in Ihr Konto eindringen."),
        returning: Notice(
            heading: "Zurück zu Ihrer App",
            explanation: "Sie kehren zu \(.app) zurück. Dort wird die Anmeldung abgeschlossen.",
            next: "Wenn nichts geschieht, nehmen Sie diesen Link:"),
        openApp: "Zurück zu \(.app)",
        delivered: Notice(
            heading: "Machen Sie in Ihrer App weiter",
            explanation: "\(.app) hat die Antwort Ihres Anmeldedienstes erhalten.",
            next: "Sie können diesen Tab schließen und zu \(.app) zurückkehren. Dort sehen Sie, ob die Anmeldung "
                + "gelungen ist."),
        delivering: Notice(
            heading: "Ihre App wird benachrichtigt",
            explanation: "Die Antwort Ihres Anmeldedienstes ist unterwegs zu \(.app).",
            next: "Das dauert einige Sekunden oder länger, falls \(.app) erst starten muss."),
        undelivered: Notice(
            heading: "Ihre App war nicht erreichbar",
            explanation: "\(.app) hat die Antwort Ihres Anmeldedienstes nicht angenommen: Das Programm läuft hier "
                + "nicht oder antwortet nicht.",
            next: "Öffnen Sie \(.app) und beginnen Sie die Anmeldung dort noch einmal. Wenn das wieder geschieht, "
                + "bitten Sie die Zuständigen um Hilfe."),
        passedOn: Notice(
            heading: "Machen Sie in Ihrer App weiter",
            explanation: "Ihr Browser wurde mit der Antwort Ihres Anmeldedienstes zu \(.app) auf diesem Computer "
                + "weitergeleitet.",
            next: "Wenn er stattdessen einen Fehler angezeigt hat, wartet \(.app) nicht mehr auf diese Anmeldung: "
                + "Beginnen Sie dort noch einmal."))
}

extension EndingPhrases {
    fileprivate static let german = EndingPhrases(
        heading: "Sie sind nicht angemeldet",
        accessDenied: Ending(
            "Die Anmeldung bei \(.app) wurde abgelehnt, entweder von Ihnen oder durch eine Regel Ihrer Organisation.",
            "Um es noch einmal zu versuchen, schließen Sie diesen Tab und beginnen Sie in \(.app)."),
        canceled: Ending(
            "Die Anmeldung bei \(.app) wurde abgebrochen.",
            "Sie können diesen Tab schließen. Wenn Sie sich doch anmelden wollen, beginnen Sie noch einmal in "
                + "\(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "Die Anmeldung bei \(.app) wurde beendet, weil Sie angegeben haben, dass Sie das nicht waren. Niemand hat "
                + "Zugriff erhalten.",
            // safety: if somebody sent you the link, tell your IT department
            "Sie können diesen Tab schließen. Wenn Ihnen jemand den Link geschickt hat, sagen Sie es Ihrer "
                + "IT-Abteilung."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Es wurden zu viele falsche Codes eingegeben, deshalb wurde die Anmeldung bei \(.app) beendet. Niemand hat "
                + "Zugriff erhalten.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Wenn Sie das waren, beginnen Sie noch einmal in \(.app). Wenn nicht, hat vielleicht jemand anderes "
                + "versucht, in Ihr Konto einzudringen: Sagen Sie es Ihrer IT-Abteilung."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Der Code wurde nicht rechtzeitig eingegeben, deshalb wurde die Anmeldung bei \(.app) beendet. Niemand hat "
                + "Zugriff erhalten.",
            "Schließen Sie diesen Tab und beginnen Sie noch einmal in \(.app)."),
        codeNotTaken: Ending(
            "Der Code wurde so spät eingegeben, dass Ihr Anmeldedienst die Anmeldung bei \(.app) nicht mehr annimmt.",
            "Beginnen Sie noch einmal in \(.app) und geben Sie den Code ein, sobald Sie ihn sehen."),
        declinedScopes: Ending(
            "\(.app) hat nicht alle nötigen Berechtigungen erhalten, deshalb wurde die Anmeldung nicht abgeschlossen.",
            "Beginnen Sie noch einmal in \(.app) und erlauben Sie, worum Sie gebeten werden. Wenn Sie das nicht "
                + "können, fragen Sie Ihre IT-Abteilung."),
        expired: Ending(
            "Die Anmeldung bei \(.app) hat zu lange gedauert und ist abgelaufen.",
            "Schließen Sie diesen Tab und beginnen Sie noch einmal in \(.app)."),
        interactionRequired: Ending(
            "Ihr Anmeldedienst braucht noch einen Schritt von Ihnen, bevor \(.app) weitermachen kann.",
            "Schließen Sie diesen Tab und beginnen Sie noch einmal in \(.app)."),
        protectionPolicyRequired: Ending(
            "Ihre Organisation erlaubt \(.app) nur auf Geräten oder in Apps, die sie verwaltet.",
            "Fragen Sie Ihre IT-Abteilung, wie Sie diese Bedingung erfüllen, und beginnen Sie dann noch einmal in "
                + "\(.app)."),
        issuerUnavailable: Ending(
            "Ihr Anmeldedienst hat gerade Probleme und hat die Anmeldung bei \(.app) nicht abgeschlossen.",
            "Warten Sie einige Minuten und beginnen Sie dann noch einmal in \(.app)."),
        issuerRefused: Ending(
            "Ihr Anmeldedienst hat die Anfrage von \(.app) nicht angenommen.",
            "Beginnen Sie noch einmal in \(.app). Wenn das wieder geschieht, bitten Sie die Zuständigen um Hilfe."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Die Antwort Ihres Anmeldedienstes konnte nicht geprüft werden, deshalb hat \(.app) sie nicht erhalten.",
            "Beginnen Sie noch einmal in \(.app). Wenn das wieder geschieht, bitten Sie die Zuständigen um Hilfe."),
        internalError: Ending(
            "Hier ist ein Fehler aufgetreten, und die Anmeldung bei \(.app) wurde nicht abgeschlossen.",
            "Beginnen Sie noch einmal in \(.app). Wenn das wieder geschieht, bitten Sie die Zuständigen um Hilfe."))
}

extension QuestionPhrases {
    fileprivate static let german = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Haben Sie diese Anmeldung gestartet?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Ein Programm an der Adresse \(.address) bittet Sie, sich bei \(.app) anzumelden. Ihr Browser hat "
            + "eine andere Adresse.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Ein Programm auf dem Server, der diese Seite anzeigt, bittet Sie, sich bei \(.app) anzumelden. "
            + "Ihr Browser läuft woanders.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Ein Programm bittet Sie, sich bei \(.app) anzumelden. Es ist nicht bekannt, wo dieses Programm "
            + "läuft.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Wenn Sie das nicht selbst gestartet haben, machen Sie nicht weiter. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Wenn Ihnen jemand diesen Link geschickt hat, ist es ein Angriff: Jemand will in Ihr Konto eindringen.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "Der Betreiber von \(.host), nicht das Programm, erhält den Zugriff, den Sie erlauben.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Das war ich nicht",
        proceed: "Weiter zur Anmeldung")
}

extension FactPhrases {
    fileprivate static let german = FactPhrases(
        askedFrom: "Angefragt von",
        thisMachine: "dem Server, der diese Seite anzeigt",
        // safety: the place is not known
        unknownPlace: "einem unbekannten Ort",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "dieselbe Adresse wie dieser Browser",
        askedAt: "Angefragt um",
        // safety: only the program says so
        hostClaim: "Das Programm läuft nach eigener Angabe auf",
        resource: "Zugriff auf",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "Die Antwort sagt (niemand hat das geprüft)",
        reference: "Referenz, falls Sie um Hilfe bitten")
}

extension FramePhrases {
    fileprivate static let german = FramePhrases(
        updatesItself: "Diese Seite zeigt von selbst, wenn sich etwas ändert.",
        reloadToUpdate: "Laden Sie diese Seite neu, um zu sehen, ob sich etwas geändert hat.",
        reload: "Neu laden",
        changed: "Etwas hat sich geändert: Die Seite wird neu geladen.",
        unreachable: "Dieser Dienst ist im Moment nicht erreichbar. Die Seite versucht es weiter.",
        stoppedLooking: "Diese Seite sucht nicht mehr von selbst nach Änderungen. Laden Sie sie neu, um zu sehen, ob "
            + "sich etwas geändert hat.",
        help: "Hilfe",
        privacy: "Datenschutz")
}

extension NoticePhrases {
    fileprivate static let german = NoticePhrases(
        neutral: Notice(
            heading: "Hier gibt es nichts zu sehen",
            explanation: "Nur der Browser, mit dem die Anmeldung erfolgt ist, kann sehen, wie sie ausgegangen ist.",
            next: "Wenn Sie sich gerade anmelden wollten, kehren Sie zu Ihrer App zurück: Sie kennt das Ergebnis. "
                + "Diesen Tab können Sie schließen."),
        startedElsewhere: Notice(
            heading: "Diese Anmeldung wurde in einem anderen Browser gestartet",
            // safety: it can only be finished in the browser where it was started
            explanation: "Sie kann nur dort abgeschlossen werden, wo sie gestartet wurde. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Was Ihr Anmeldedienst an diesen Browser geschickt hat, wird nicht mehr angenommen, auch dort nicht.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Wenn Ihnen jemand den Link zu dieser Anmeldung geschickt hat, kann es ein Angriff sein: Sagen Sie "
                + "es Ihrer IT-Abteilung. Wenn Sie sich selbst anmelden wollen, beginnen Sie in Ihrer App."),
        sendingFragment: Notice(
            heading: "Ihre Anmeldung wird abgeschlossen",
            explanation: "Die Antwort Ihres Anmeldedienstes ist unterwegs zu Ihrer App.",
            next: "Das dauert einige Sekunden."),
        fragmentNeedsScript: Notice(
            heading: "Ihre Anmeldung ist noch nicht abgeschlossen",
            explanation: "Diese Seite braucht ein Skript, um die Antwort Ihres Anmeldedienstes weiterzugeben. Erlauben "
                + "Sie Skripte für diese Seite und laden Sie sie neu, oder beginnen Sie noch einmal in Ihrer App.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Kopieren Sie die Adresse dieser Seite nicht und schicken Sie sie niemandem, auch wenn Sie darum "
                + "gebeten werden."))
}

private let startAgain = "Schließen Sie diesen Tab und beginnen Sie noch einmal in Ihrer App."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Kopieren Sie die Adresse dieser Seite nicht und schicken Sie sie niemandem, auch wenn Sie darum gebeten werden. "
    + "Wenn Sie sich anmelden wollen, schließen Sie diesen Tab und beginnen Sie noch einmal in Ihrer App."

extension RefusalPhrases {
    fileprivate static let german = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Diese Anmeldung wurde nicht von Ihrer App gestartet",
            explanation: "Keine App wartet darauf, deshalb wurde nichts damit gemacht.",
            next: keepAddress),
        expired: Notice(
            heading: "Diese Anmeldung ist abgelaufen",
            explanation: "Sie hat zu lange gedauert, und Ihre App wartet nicht mehr darauf.",
            next: startAgain),
        ended: Notice(
            heading: "Diese Anmeldung ist vorbei",
            explanation: "Sie wurde schon abgeschlossen oder beendet, und ihr Link kann nicht noch einmal benutzt "
                + "werden.",
            next: "Wenn Sie sich immer noch anmelden wollen, schließen Sie diesen Tab und beginnen Sie noch einmal in "
                + "Ihrer App."),
        wrongRedirectURI: Notice(
            heading: "Diese Anmeldung kam an der falschen Adresse an",
            explanation: "Sie gehört zu einer anderen App, deshalb wurde nichts damit gemacht.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Diese Antwort kam vom falschen Anmeldedienst",
            explanation: "Sie kommt nicht von dem Dienst, den Ihre App gefragt hat, deshalb wurde nichts damit "
                + "gemacht.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Diese Antwort kam auf dem falschen Weg",
            explanation: "Ihre App hat sie in einer anderen Form verlangt, deshalb wurde nichts damit gemacht.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Diese Antwort konnte nicht geprüft werden",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Sie beweist nicht, dass sie von Ihrem Anmeldedienst kommt, deshalb wurde nichts damit "
                + "gemacht.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Diese Anmeldung ist nicht lesbar",
            explanation: "Ein Teil der Antwort kam doppelt vor, deshalb wurde nichts damit gemacht.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Diese Anmeldung ist unvollständig",
            explanation: "Die Antwort sagt weder, dass die Anmeldung gelungen ist, noch, dass sie gescheitert ist.",
            next: startAgain),
        malformed: Notice(
            heading: "Diese Anmeldung ist nicht lesbar",
            explanation: "Die Antwort ist beschädigt oder widerspricht sich, deshalb wurde nichts damit gemacht.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Diese Anmeldung wurde in einem anderen Browser gestartet",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Sie kann nur dort abgeschlossen werden, wo sie gestartet wurde, deshalb wurde nichts damit "
                + "gemacht.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Diese Anmeldung wurde schon benutzt",
            // safety: it came again with another code, which was not accepted
            explanation: "Sie kam noch einmal mit einem anderen Code, der nicht angenommen wurde.",
            next: keepAddress),
        notFound: Notice(
            heading: "Unter dieser Adresse gibt es nichts",
            explanation: "Die Adresse ist vielleicht falsch geschrieben oder veraltet.",
            next: "Wenn Sie sich gerade anmelden wollten, schließen Sie diesen Tab und beginnen Sie noch einmal in "
                + "Ihrer App."),
        wrongForm: Notice(
            heading: "Diese Anfrage wurde nicht angenommen",
            explanation: "Sie wurde in einer Form geschickt, die diese Adresse nicht annimmt.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Diese Anfrage ist zu groß",
            explanation: "Sie ist länger, als eine Anmeldung je ist, deshalb wurde sie nicht gelesen.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Zu viele Anfragen",
            explanation: "Aus Ihrem Netzwerk kamen mehr Anfragen, als jetzt beantwortet werden können.",
            next: "Warten Sie eine Minute und laden Sie diese Seite dann neu."),
        prefetch: Notice(
            heading: "Noch ist nichts geschehen",
            explanation: "Ihr Browser oder eine andere Seite hat diese Adresse im Voraus geladen, und das meldet "
                + "niemanden an.",
            next: "Laden Sie diese Seite neu, um fortzufahren."),
        unavailable: Notice(
            heading: "Die Anmeldung ist gerade nicht möglich",
            explanation: "Dieser Dienst kann im Moment nicht antworten.",
            next: "Warten Sie eine Minute und laden Sie diese Seite dann neu."))
}

extension FarMachinePhrases {
    fileprivate static let german = FarMachinePhrases(
        consent: .german,
        refused: Message(
            heading: "Es wurde nichts geöffnet",
            // safety: the program on the other machine gets nothing
            text: "Das Programm auf dem anderen Rechner bekommt nichts. Sie können diesen Tab schließen."),
        ended: Message(
            heading: "Diese Anmeldung ist beendet",
            text: "Sie hat zu lange gedauert, oder ihr Programm läuft nicht mehr. Beginnen Sie noch einmal in diesem "
                + "Programm."),
        alreadyDelivered: Message(
            heading: "Diese Anmeldung wurde schon weitergegeben",
            text: "Sie können diesen Tab schließen und zu Ihrem Programm zurückkehren."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Sie haben diese Anmeldung nicht gestartet",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Es wurde nichts weitergegeben. Geben Sie die Adresse dieser Seite niemandem."),
        notHere: Message(
            heading: "Hier gibt es nichts",
            text: "Ein Programm auf einem anderen Rechner wartet an einer anderen Adresse auf eine Anmeldung."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Das haben Sie nicht angefordert",
            // safety: a page asked in the background, and nothing was passed on
            text: "Eine Seite hat es im Hintergrund angefordert. Es wurde nichts weitergegeben."),
        toolGone: Message(
            heading: "Das Programm wartet nicht mehr",
            text: "Es wurde beendet oder hat aufgehört zu warten, bevor die Anmeldung zurückkam. Starten Sie es noch "
                + "einmal."),
        toolResponseUnusable: Message(
            heading: "Die Anmeldung wurde weitergegeben",
            text: "Die Antwort des Programms kann hier nicht angezeigt werden. Kehren Sie zu ihm zurück, um zu sehen, "
                + "wie die Anmeldung ausgegangen ist."))
}

extension ConsentPhrases {
    fileprivate static let german = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Haben Sie diese Anmeldung gerade gestartet?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Ein Programm auf \(.host) bittet diesen Browser, sich bei \(.issuer) anzumelden.",
        // safety: continue only if you began this there a moment ago
        warning: "Machen Sie nur weiter, wenn Sie das gerade eben dort gestartet haben: "
            // safety: the people who control HOST get everything that you are about to allow
            + "Wer \(.host) kontrolliert, bekommt, was Sie gleich erlauben.",
        host: "Angefragt vom Rechner",
        issuer: "Anmeldedienst",
        path: "Seite dieses Dienstes",
        // safety: the name of the program is a claim of the far machine
        client: "Programm (client ID) laut diesem Rechner",
        scope: "Verlangter Zugriff",
        noScope: "nicht angegeben",
        resource: "Zugriff auf diesen Dienst",
        details: "Einzelheiten dieses Zugriffs",
        prompt: "Wie dieser Dienst fragen soll (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let german = LoopbackPhrases(
        signedIn: Message(
            heading: "Sie sind angemeldet",
            text: "Sie können diesen Tab schließen und zu Ihrer App zurückkehren."),
        failed: Message(
            heading: "Sie sind nicht angemeldet",
            text: "Kehren Sie zu Ihrer App zurück: Sie nennt den Grund, und Sie können es dort noch einmal versuchen."),
        taken: Message(
            heading: "Diese Anmeldung ist vorbei",
            text: "Sie wurde schon abgeschlossen oder beendet. Sie können diesen Tab schließen und zu Ihrer App "
                + "zurückkehren."),
        tooLate: Message(
            heading: "Keine App wartet auf diese Anmeldung",
            text: "Sie hat zu lange gedauert oder wurde abgebrochen. Beginnen Sie noch einmal in Ihrer App."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Diese Anmeldung wurde nicht von Ihrer App gestartet",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Es wurde nichts damit gemacht. Kopieren Sie die Adresse dieser Seite nicht und schicken Sie sie "
                + "niemandem, auch wenn Sie darum gebeten werden."),
        notHere: Message(
            heading: "Unter dieser Adresse gibt es nichts",
            text: "Eine App auf diesem Computer wartet an einer anderen Adresse auf eine Anmeldung."),
        notOwnUser: Message(
            heading: "Diese Seite ist für einen anderen Benutzer",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Eine App auf diesem Computer wartet auf den Browser ihres eigenen Benutzers, und es ist nicht "
                + "sicher, dass es dieser hier ist. Es wurde nichts gemacht."))
}

extension DesktopPhrases {
    fileprivate static let german = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Eine App kann Sie nicht anmelden",
            text: "Die Datei mit ihren Einstellungen enthält einen Fehler und wird nicht verwendet. "
                + "`switchyard doctor --desktop` sagt, welche Datei es ist."),
        noApp: Message(
            heading: "Diese Anmeldung gehört zu keiner App",
            text: "Keine App dieser Sitzung hat die Adresse, an die Ihr Browser geschickt wurde. "
                // safety: do not give the address to anybody
                + "Geben Sie sie niemandem."),
        notAwaited: Message(
            heading: "Keine App wartet auf diese Anmeldung",
            text: "Sie wurde nicht von einer App dieser Sitzung gestartet, oder die App wartet nicht mehr. "
                // safety: do not give the address of the page to anybody
                + "Geben Sie die Adresse der Seite niemandem. "
                + "Um sich anzumelden, beginnen Sie noch einmal in Ihrer App."),
        used: Message(
            heading: "Diese Anmeldung wurde schon benutzt",
            text: "Kehren Sie zu Ihrer App zurück. Wenn sie noch wartet, beginnen Sie dort noch einmal."),
        expired: Message(
            heading: "Diese Anmeldung hat zu lange gedauert",
            text: "Beginnen Sie noch einmal in Ihrer App."),
        appIsGone: Message(
            heading: "Ihre App ist nicht erreichbar",
            text: "Starten Sie sie und melden Sie sich dort noch einmal an."),
        outOfReach: Message(
            heading: "Ihre Anmeldung konnte nicht übergeben werden",
            text: "Das Programm, das sie zu Ihrer App bringt, startet nicht. `switchyard doctor` sagt, warum. "
                + "Beginnen Sie danach noch einmal in Ihrer App."),
        keyringLocked: Message(
            heading: "Ihre Anmeldung ist noch nicht gespeichert",
            text: "Der Schlüsselbund ist gesperrt. Entsperren Sie ihn, dann wird die Anmeldung von selbst "
                + "gespeichert. Sonst müssen Sie sich in der nächsten Sitzung noch einmal anmelden."),
        signInNeeded: Message(
            heading: "Ein Programm wartet auf Ihre Anmeldung",
            text: "Es möchte in Ihrem Namen den unten genannten Server nutzen. "
                // safety: sign in only if you expect it
                + "Nur wenn Sie das erwarten, öffnen Sie die Adresse in Ihrem Browser und melden Sie sich an."),
        notSaved: Message(
            heading: "Ihre Anmeldung ist noch nicht gespeichert",
            text: "Etwas verhindert es, zum Beispiel eine volle Festplatte; `switchyard doctor` sagt "
                + "vielleicht, was. Danach wird die Anmeldung von selbst gespeichert. Sonst müssen Sie "
                + "sich in der nächsten Sitzung noch einmal anmelden."))
}
