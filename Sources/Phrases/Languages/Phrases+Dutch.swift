internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let dutch = Phrases(
        signIn: .dutch, endings: .dutch, question: .dutch, facts: .dutch, frame: .dutch, notices: .dutch,
        refusals: .dutch, farMachine: .dutch, loopback: .dutch,
        desktop: .dutch)
}

extension SignInPhrases {
    fileprivate static let dutch = SignInPhrases(
        collected: Notice(
            heading: "U bent aangemeld",
            explanation: "\(.app) heeft uw aanmelding ontvangen.",
            next: "U kunt dit tabblad sluiten en teruggaan naar \(.app)."),
        waitingForApp: Notice(
            heading: "Bijna klaar",
            explanation: "Uw aanmelding is gelukt, maar \(.app) heeft die nog niet opgehaald.",
            next: "Ga terug naar \(.app) en kijk of het programma nog actief is. Het heeft dit tabblad niet meer "
                + "nodig."),
        redeeming: Notice(
            heading: "Uw aanmelding wordt afgerond",
            explanation: "Uw aanmelding bij \(.app) wordt op dit moment afgerond.",
            next: "Dit duurt een paar seconden."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Typ deze code in het programma dat u hebt gestart",
            explanation: "Uw aanmelding bij \(.app) gaat verder zodra dat programma deze code heeft:",
            // safety: type it only into a program that you started yourself
            next: "Typ de code alleen in het programma dat u zelf hebt gestart: een app, een terminal, uw eigen "
                + "programmeeragent. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Niemand zal u erom vragen: geen beller, geen e-mail, geen bericht. Wie dat toch doet, wil in uw "
                + "account binnendringen."),
        returning: Notice(
            heading: "Terug naar uw app",
            explanation: "U gaat terug naar \(.app), die de aanmelding afrondt.",
            next: "Gebruik deze link als er niets gebeurt:"),
        openApp: "Terug naar \(.app)",
        delivered: Notice(
            heading: "Ga verder in uw app",
            explanation: "\(.app) heeft het antwoord van uw aanmeldservice ontvangen.",
            next: "U kunt dit tabblad sluiten en teruggaan naar \(.app). Daar ziet u of de aanmelding is gelukt."),
        delivering: Notice(
            heading: "Contact zoeken met uw app",
            explanation: "Het antwoord van uw aanmeldservice is onderweg naar \(.app).",
            next: "Dit duurt een paar seconden, of langer als \(.app) eerst moet starten."),
        undelivered: Notice(
            heading: "Uw app was niet bereikbaar",
            explanation: "\(.app) heeft het antwoord van uw aanmeldservice niet aangenomen: de app is hier niet actief "
                + "of antwoordt niet.",
            next: "Open \(.app) en begin daar opnieuw met aanmelden. Gebeurt dit weer, vraag dan hulp aan wie de app "
                + "beheert."),
        passedOn: Notice(
            heading: "Ga verder in uw app",
            explanation: "Uw browser is doorgestuurd naar \(.app) op deze computer, met het antwoord van uw "
                + "aanmeldservice.",
            next: "Als er in plaats daarvan een fout te zien was, wacht \(.app) niet meer op deze aanmelding: begin "
                + "daar opnieuw."))
}

extension EndingPhrases {
    fileprivate static let dutch = EndingPhrases(
        heading: "U bent niet aangemeld",
        accessDenied: Ending(
            "De aanmelding bij \(.app) is geweigerd, door u of door een regel van uw organisatie.",
            "Wilt u het opnieuw proberen, sluit dan dit tabblad en begin in \(.app)."),
        canceled: Ending(
            "De aanmelding bij \(.app) is geannuleerd.",
            "U kunt dit tabblad sluiten. Wilt u zich toch aanmelden, begin dan opnieuw in \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "De aanmelding bij \(.app) is beëindigd, omdat u hebt gezegd dat u het niet was. Niemand heeft toegang "
                + "gekregen.",
            // safety: if somebody sent you the link, tell your IT department
            "U kunt dit tabblad sluiten. Als iemand u de link heeft gestuurd, meld het dan aan uw IT-afdeling."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Er zijn te veel verkeerde codes getypt, daarom is de aanmelding bij \(.app) beëindigd. Niemand heeft "
                + "toegang gekregen.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Als u dat was, begin dan opnieuw in \(.app). Zo niet, dan heeft misschien iemand anders geprobeerd in uw "
                + "account binnen te dringen: meld het aan uw IT-afdeling."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "De code is niet op tijd getypt, daarom is de aanmelding bij \(.app) beëindigd. Niemand heeft toegang "
                + "gekregen.",
            "Sluit dit tabblad en begin opnieuw in \(.app)."),
        codeNotTaken: Ending(
            "De code is zo laat getypt dat uw aanmeldservice de aanmelding bij \(.app) niet meer aanneemt.",
            "Begin opnieuw in \(.app) en typ de code zodra u die ziet."),
        declinedScopes: Ending(
            "\(.app) heeft niet alle toestemmingen gekregen die nodig zijn, daarom is de aanmelding niet afgerond.",
            "Begin opnieuw in \(.app) en sta toe wat er wordt gevraagd. Kunt u dat niet, vraag dan uw IT-afdeling."),
        expired: Ending(
            "De aanmelding bij \(.app) heeft te lang geduurd en is verlopen.",
            "Sluit dit tabblad en begin opnieuw in \(.app)."),
        interactionRequired: Ending(
            "Uw aanmeldservice heeft nog één stap van u nodig voordat \(.app) verder kan.",
            "Sluit dit tabblad en begin opnieuw in \(.app)."),
        protectionPolicyRequired: Ending(
            "Uw organisatie staat \(.app) alleen toe op apparaten of in apps die ze zelf beheert.",
            "Vraag uw IT-afdeling hoe u aan deze eis voldoet, en begin daarna opnieuw in \(.app)."),
        issuerUnavailable: Ending(
            "Uw aanmeldservice heeft een storing en heeft de aanmelding bij \(.app) niet afgerond.",
            "Wacht een paar minuten en begin daarna opnieuw in \(.app)."),
        issuerRefused: Ending(
            "Uw aanmeldservice heeft het verzoek van \(.app) niet aangenomen.",
            "Begin opnieuw in \(.app). Gebeurt dit weer, vraag dan hulp aan wie de app beheert."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Het antwoord van uw aanmeldservice kon niet worden gecontroleerd, daarom heeft \(.app) het niet gekregen.",
            "Begin opnieuw in \(.app). Gebeurt dit weer, vraag dan hulp aan wie de app beheert."),
        internalError: Ending(
            "Hier is iets misgegaan en de aanmelding bij \(.app) is niet afgerond.",
            "Begin opnieuw in \(.app). Gebeurt dit weer, vraag dan hulp aan wie de app beheert."))
}

extension QuestionPhrases {
    fileprivate static let dutch = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Hebt u deze aanmelding gestart?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Een programma op het adres \(.address) vraagt u zich aan te melden bij \(.app). Uw browser heeft "
            + "een ander adres.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Een programma op de server die deze pagina toont, vraagt u zich aan te melden bij \(.app). Uw "
            + "browser is ergens anders.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Een programma vraagt u zich aan te melden bij \(.app). Het is niet bekend waar dat programma is.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Als u dit niet zelf hebt gestart, ga dan niet verder. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Als iemand u deze link heeft gestuurd, is het een aanval: men wil in uw account binnendringen.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "De beheerder van \(.host), niet het programma, krijgt de toegang die u toestaat.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Ik was het niet",
        proceed: "Doorgaan naar aanmelden")
}

extension FactPhrases {
    fileprivate static let dutch = FactPhrases(
        askedFrom: "Gevraagd vanaf",
        thisMachine: "de server die deze pagina toont",
        // safety: the place is not known
        unknownPlace: "een onbekende plaats",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "hetzelfde adres als deze browser",
        askedAt: "Gevraagd om",
        // safety: only the program says so
        hostClaim: "Het programma zegt dat het draait op",
        resource: "Toegang tot",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "Het antwoord zegt (niemand heeft dit gecontroleerd)",
        reference: "Referentie, als u om hulp vraagt")
}

extension FramePhrases {
    fileprivate static let dutch = FramePhrases(
        updatesItself: "Deze pagina laat vanzelf zien wanneer er iets verandert.",
        reloadToUpdate: "Laad deze pagina opnieuw om te zien of er iets is veranderd.",
        reload: "Opnieuw laden",
        changed: "Er is iets veranderd: de pagina wordt opnieuw geladen.",
        unreachable: "Deze service is op dit moment niet bereikbaar. De pagina blijft het proberen.",
        stoppedLooking: "Deze pagina kijkt niet meer vanzelf of er iets verandert. Laad de pagina opnieuw om te zien "
            + "of er iets is veranderd.",
        help: "Hulp",
        privacy: "Privacyverklaring")
}

extension NoticePhrases {
    fileprivate static let dutch = NoticePhrases(
        neutral: Notice(
            heading: "Hier is niets te zien",
            explanation: "Alleen de browser waarmee is aangemeld, kan zien hoe die aanmelding is afgelopen.",
            next: "Als u zich aan het aanmelden was, ga dan terug naar uw app: die kent de uitkomst. U kunt dit "
                + "tabblad sluiten."),
        startedElsewhere: Notice(
            heading: "Deze aanmelding is in een andere browser gestart",
            // safety: it can only be finished in the browser where it was started
            explanation: "Ze kan alleen worden afgerond waar ze is gestart. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Wat uw aanmeldservice naar deze browser heeft gestuurd, wordt niet meer aangenomen, ook daar niet.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Als iemand u de link van deze aanmelding heeft gestuurd, kan het een aanval zijn: meld het aan uw "
                + "IT-afdeling. Wilt u zich zelf aanmelden, begin dan in uw app."),
        sendingFragment: Notice(
            heading: "Uw aanmelding wordt afgerond",
            explanation: "Het antwoord van uw aanmeldservice is onderweg naar uw app.",
            next: "Dit duurt een paar seconden."),
        fragmentNeedsScript: Notice(
            heading: "Uw aanmelding is nog niet klaar",
            explanation: "Deze pagina heeft een script nodig om het antwoord van uw aanmeldservice door te geven. Sta "
                + "scripts toe voor deze pagina en laad de pagina opnieuw, of begin opnieuw in uw app.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Kopieer het adres van deze pagina niet en stuur het naar niemand, ook niet als daarom wordt "
                + "gevraagd."))
}

private let startAgain = "Sluit dit tabblad en begin opnieuw in uw app."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Kopieer het adres van deze pagina niet en stuur het naar niemand, ook niet als daarom wordt gevraagd. Wilt u zich "
    + "aanmelden, sluit dan dit tabblad en begin opnieuw in uw app."

extension RefusalPhrases {
    fileprivate static let dutch = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Deze aanmelding is niet door uw app gestart",
            explanation: "Geen enkele app wacht erop, daarom is er niets mee gedaan.",
            next: keepAddress),
        expired: Notice(
            heading: "Deze aanmelding is verlopen",
            explanation: "Het heeft te lang geduurd en uw app wacht er niet meer op.",
            next: startAgain),
        ended: Notice(
            heading: "Deze aanmelding is voorbij",
            explanation: "Ze is al afgerond of beëindigd, en de link ervan kan niet opnieuw worden gebruikt.",
            next: "Wilt u zich nog steeds aanmelden, sluit dan dit tabblad en begin opnieuw in uw app."),
        wrongRedirectURI: Notice(
            heading: "Deze aanmelding is op het verkeerde adres aangekomen",
            explanation: "Ze hoort bij een andere app, daarom is er niets mee gedaan.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Dit antwoord kwam van de verkeerde aanmeldservice",
            explanation: "Het komt niet van de service die uw app heeft gevraagd, daarom is er niets mee gedaan.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Dit antwoord kwam op de verkeerde manier",
            explanation: "Uw app heeft het in een andere vorm gevraagd, daarom is er niets mee gedaan.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Dit antwoord kon niet worden gecontroleerd",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Het bewijst niet dat het van uw aanmeldservice komt, daarom is er niets mee gedaan.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Deze aanmelding kan niet worden gelezen",
            explanation: "Een deel van het antwoord kwam twee keer voor, daarom is er niets mee gedaan.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Deze aanmelding is onvolledig",
            explanation: "Het antwoord zegt niet dat de aanmelding is gelukt en ook niet dat ze is mislukt.",
            next: startAgain),
        malformed: Notice(
            heading: "Deze aanmelding kan niet worden gelezen",
            explanation: "Het antwoord is beschadigd of spreekt zichzelf tegen, daarom is er niets mee gedaan.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Deze aanmelding is in een andere browser gestart",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Ze kan alleen worden afgerond waar ze is gestart, daarom is er niets mee gedaan.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Deze aanmelding is al gebruikt",
            // safety: it came again with another code, which was not accepted
            explanation: "Ze kwam opnieuw met een andere code, die niet is aangenomen.",
            next: keepAddress),
        notFound: Notice(
            heading: "Op dit adres is niets",
            explanation: "Het adres is misschien verkeerd getypt of verouderd.",
            next: "Als u zich aan het aanmelden was, sluit dan dit tabblad en begin opnieuw in uw app."),
        wrongForm: Notice(
            heading: "Dit verzoek is niet aangenomen",
            explanation: "Het is gestuurd in een vorm die dit adres niet aanneemt.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Dit verzoek is te groot",
            explanation: "Het is langer dan een aanmelding ooit is, daarom is het niet gelezen.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Te veel verzoeken",
            explanation: "Uit uw netwerk kwamen meer verzoeken dan nu beantwoord kunnen worden.",
            next: "Wacht een minuut en laad deze pagina dan opnieuw."),
        prefetch: Notice(
            heading: "Er is nog niets gebeurd",
            explanation: "Uw browser of een andere pagina heeft dit adres vooraf geladen, en dat meldt niemand aan.",
            next: "Laad deze pagina opnieuw om verder te gaan."),
        unavailable: Notice(
            heading: "Aanmelden kan nu niet",
            explanation: "Deze service kan op dit moment niet antwoorden.",
            next: "Wacht een minuut en laad deze pagina dan opnieuw."))
}

extension FarMachinePhrases {
    fileprivate static let dutch = FarMachinePhrases(
        consent: .dutch,
        refused: Message(
            heading: "Er is niets geopend",
            // safety: the program on the other machine gets nothing
            text: "Het programma op de andere computer krijgt niets. U kunt dit tabblad sluiten."),
        ended: Message(
            heading: "Deze aanmelding is beëindigd",
            text: "Het heeft te lang geduurd, of het programma ervan is er niet meer. Begin opnieuw in dat programma."),
        alreadyDelivered: Message(
            heading: "Deze aanmelding is al doorgegeven",
            text: "U kunt dit tabblad sluiten en teruggaan naar uw programma."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "U hebt deze aanmelding niet gestart",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Er is niets doorgegeven. Geef het adres van deze pagina aan niemand."),
        notHere: Message(
            heading: "Hier is niets",
            text: "Een programma op een andere computer wacht op een aanmelding op een ander adres."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "U hebt hier niet om gevraagd",
            // safety: a page asked in the background, and nothing was passed on
            text: "Een pagina heeft er op de achtergrond om gevraagd. Er is niets doorgegeven."),
        toolGone: Message(
            heading: "Het programma wacht niet meer",
            text: "Het is beëindigd of gestopt met wachten voordat de aanmelding terugkwam. Start het opnieuw."),
        toolResponseUnusable: Message(
            heading: "De aanmelding is doorgegeven",
            text: "Het antwoord van het programma kan hier niet worden getoond. Ga terug naar het programma om te zien "
                + "hoe uw aanmelding is afgelopen."))
}

extension ConsentPhrases {
    fileprivate static let dutch = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Hebt u deze aanmelding zojuist gestart?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Een programma op \(.host) vraagt deze browser zich aan te melden bij \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Ga alleen verder als u dit daar zojuist hebt gestart: "
            // safety: the people who control HOST get everything that you are about to allow
            + "wie controle heeft over \(.host), krijgt wat u zo gaat toestaan.",
        host: "Gevraagd door de computer",
        issuer: "Aanmeldservice",
        path: "Pagina van die service",
        // safety: the name of the program is a claim of the far machine
        client: "Programma (client ID), volgens die computer",
        scope: "Gevraagde toegang",
        noScope: "niet vermeld",
        resource: "Toegang tot deze service",
        details: "Details van die toegang",
        prompt: "Hoe die service moet vragen (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let dutch = LoopbackPhrases(
        signedIn: Message(
            heading: "U bent aangemeld",
            text: "U kunt dit tabblad sluiten en teruggaan naar uw app."),
        failed: Message(
            heading: "U bent niet aangemeld",
            text: "Ga terug naar uw app: daar staat waarom, en daar kunt u het opnieuw proberen."),
        taken: Message(
            heading: "Deze aanmelding is voorbij",
            text: "Ze is al afgerond of beëindigd. U kunt dit tabblad sluiten en teruggaan naar uw app."),
        tooLate: Message(
            heading: "Geen enkele app wacht op deze aanmelding",
            text: "Het heeft te lang geduurd of is geannuleerd. Begin opnieuw in uw app."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Deze aanmelding is niet door uw app gestart",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Er is niets mee gedaan. Kopieer het adres van deze pagina niet en stuur het naar niemand, ook niet "
                + "als daarom wordt gevraagd."),
        notHere: Message(
            heading: "Op dit adres is niets",
            text: "Een app op deze computer wacht op een aanmelding op een ander adres."),
        notOwnUser: Message(
            heading: "Deze pagina is voor een andere gebruiker",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Een app op deze computer wacht op de browser van de eigen gebruiker, en het is niet zeker dat dit "
                + "die browser is. Er is niets gedaan."))
}

extension DesktopPhrases {
    fileprivate static let dutch = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Een app kan u niet aanmelden",
            text: "Het bestand met de instellingen bevat een fout en wordt niet gebruikt. `switchyard doctor "
                + "--desktop` zegt welk bestand het is."),
        noApp: Message(
            heading: "Deze aanmelding hoort bij geen enkele app",
            text: "Geen enkele app van deze sessie heeft het adres waar uw browser naartoe is gestuurd. "
                // safety: do not give the address to anybody
                + "Geef het aan niemand."),
        notAwaited: Message(
            heading: "Geen enkele app wacht op deze aanmelding",
            text: "Ze is niet gestart door een app van deze sessie, of die app wacht niet meer. "
                // safety: do not give the address of the page to anybody
                + "Geef het adres van de pagina aan niemand. "
                + "Begin opnieuw vanuit uw app om u aan te melden."),
        used: Message(
            heading: "Deze aanmelding is al gebruikt",
            text: "Ga terug naar uw app. Als die nog wacht, begint u daar opnieuw."),
        expired: Message(
            heading: "Deze aanmelding duurde te lang",
            text: "Begin opnieuw vanuit uw app."),
        appIsGone: Message(
            heading: "Uw app is niet bereikbaar",
            text: "Start de app en meld u daar opnieuw aan."),
        outOfReach: Message(
            heading: "Uw aanmelding kon niet worden doorgegeven",
            text: "Het programma dat ze naar uw app brengt, start niet. `switchyard doctor` zegt waarom. Begin "
                + "daarna opnieuw vanuit uw app."),
        keyringLocked: Message(
            heading: "Uw aanmelding is nog niet opgeslagen",
            text: "De sleutelbos is vergrendeld. Ontgrendel die, dan wordt de aanmelding vanzelf opgeslagen. "
                + "Anders moet u zich in uw volgende sessie opnieuw aanmelden."),
        signInNeeded: Message(
            heading: "Een programma wacht op uw aanmelding",
            text: "Het wil namens u de server hieronder gebruiken. "
                // safety: sign in only if you expect it
                + "Alleen als u dat verwacht, opent u het adres in uw browser en meldt u zich aan."),
        notSaved: Message(
            heading: "Uw aanmelding is nog niet opgeslagen",
            text: "Iets houdt het tegen, zoals een volle schijf; misschien zegt `switchyard doctor` wat. "
                + "Daarna wordt de aanmelding vanzelf opgeslagen. Anders moet u zich in uw volgende "
                + "sessie opnieuw aanmelden."))
}
