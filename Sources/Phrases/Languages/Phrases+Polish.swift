internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let polish = Phrases(
        signIn: .polish, endings: .polish, question: .polish, facts: .polish, frame: .polish, notices: .polish,
        refusals: .polish, farMachine: .polish, loopback: .polish,
        desktop: .polish)
}

extension SignInPhrases {
    fileprivate static let polish = SignInPhrases(
        collected: Notice(
            heading: "Zalogowano",
            explanation: "Aplikacja \(.app) otrzymała Twoje logowanie.",
            next: "Możesz zamknąć tę kartę i wrócić do aplikacji \(.app)."),
        waitingForApp: Notice(
            heading: "Prawie gotowe",
            explanation: "Logowanie się powiodło, ale aplikacja \(.app) jeszcze go nie odebrała.",
            next: "Wróć do aplikacji \(.app) i sprawdź, czy nadal działa. Ta karta nie jest jej już potrzebna."),
        redeeming: Notice(
            heading: "Kończenie logowania",
            explanation: "Trwa kończenie logowania do aplikacji \(.app).",
            next: "Potrwa to kilka sekund."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Wpisz ten kod w programie uruchomionym przez Ciebie",
            explanation: "Logowanie do aplikacji \(.app) będzie kontynuowane, gdy tylko ten program otrzyma kod:",
            // safety: type it only into a program that you started yourself
            next: "Wpisz go tylko w programie uruchomionym przez Ciebie: w aplikacji, w terminalu, we własnym agencie "
                + "programistycznym. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Nikt nie poprosi Cię o ten kod: ani przez telefon, ani w e-mailu, ani w wiadomości. Kto o niego "
                + "prosi, chce się dostać na Twoje konto."),
        returning: Notice(
            heading: "Powrót do Twojej aplikacji",
            explanation: "Wracasz do aplikacji \(.app), która dokończy logowanie.",
            next: "Jeśli nic się nie dzieje, użyj tego linku:"),
        openApp: "Wróć do aplikacji \(.app)",
        delivered: Notice(
            heading: "Kontynuuj w swojej aplikacji",
            explanation: "Aplikacja \(.app) otrzymała odpowiedź Twojej usługi logowania.",
            next: "Możesz zamknąć tę kartę i wrócić do aplikacji \(.app), która pokaże wynik logowania."),
        delivering: Notice(
            heading: "Łączenie z Twoją aplikacją",
            explanation: "Odpowiedź Twojej usługi logowania jest w drodze do aplikacji \(.app).",
            next: "Potrwa to kilka sekund albo dłużej, jeśli aplikacja \(.app) musi się najpierw uruchomić."),
        undelivered: Notice(
            heading: "Nie udało się połączyć z Twoją aplikacją",
            explanation: "Aplikacja \(.app) nie odebrała odpowiedzi Twojej usługi logowania: nie działa tutaj lub nie "
                + "odpowiada.",
            next: "Otwórz aplikację \(.app) i zacznij logowanie od nowa w niej. Jeśli to się powtórzy, poproś o pomoc "
                + "osobę, która się nią opiekuje."),
        passedOn: Notice(
            heading: "Kontynuuj w swojej aplikacji",
            explanation: "Twoja przeglądarka została przekierowana do aplikacji \(.app) na tym komputerze z "
                + "odpowiedzią Twojej usługi logowania.",
            next: "Jeśli zamiast tego pojawił się błąd, aplikacja \(.app) nie czeka już na to logowanie: zacznij w "
                + "niej od nowa."))
}

extension EndingPhrases {
    fileprivate static let polish = EndingPhrases(
        heading: "Nie zalogowano",
        accessDenied: Ending(
            "Odmówiono logowania do aplikacji \(.app): odmowa pochodzi od Ciebie albo wynika z reguły Twojej "
                + "organizacji.",
            "Aby spróbować ponownie, zamknij tę kartę i zacznij w aplikacji \(.app)."),
        canceled: Ending(
            "Logowanie do aplikacji \(.app) zostało anulowane.",
            "Możesz zamknąć tę kartę. Aby się jednak zalogować, zacznij od nowa w aplikacji \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "Logowanie do aplikacji \(.app) zostało przerwane, bo wybrano odpowiedź „To nie ja”. Nikt nie uzyskał "
                + "dostępu.",
            // safety: if somebody sent you the link, tell your IT department
            "Możesz zamknąć tę kartę. Jeśli ktoś przysłał Ci ten link, zawiadom swój dział IT."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Wpisano zbyt wiele błędnych kodów, dlatego logowanie do aplikacji \(.app) zostało przerwane. Nikt nie "
                + "uzyskał dostępu.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Jeśli to Ty, zacznij od nowa w aplikacji \(.app). Jeśli nie, ktoś inny mógł próbować dostać się na Twoje "
                + "konto: zawiadom swój dział IT."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Kodu nie wpisano na czas, dlatego logowanie do aplikacji \(.app) zostało przerwane. Nikt nie uzyskał "
                + "dostępu.",
            "Zamknij tę kartę i zacznij od nowa w aplikacji \(.app)."),
        codeNotTaken: Ending(
            "Kod wpisano tak późno, że Twoja usługa logowania nie przyjmuje już logowania do aplikacji \(.app).",
            "Zacznij od nowa w aplikacji \(.app) i wpisz kod, gdy tylko go zobaczysz."),
        declinedScopes: Ending(
            "Aplikacja \(.app) nie otrzymała wszystkich potrzebnych uprawnień, dlatego logowanie nie zostało "
                + "zakończone.",
            "Zacznij od nowa w aplikacji \(.app) i zezwól na to, o co prosi. Jeśli nie możesz, zapytaj swój dział IT."),
        expired: Ending(
            "Logowanie do aplikacji \(.app) trwało zbyt długo i wygasło.",
            "Zamknij tę kartę i zacznij od nowa w aplikacji \(.app)."),
        interactionRequired: Ending(
            "Twoja usługa logowania wymaga od Ciebie jeszcze jednego kroku, zanim aplikacja \(.app) będzie mogła "
                + "kontynuować.",
            "Zamknij tę kartę i zacznij od nowa w aplikacji \(.app)."),
        protectionPolicyRequired: Ending(
            "Twoja organizacja zezwala na aplikację \(.app) tylko na urządzeniach lub w aplikacjach, którymi zarządza.",
            "Zapytaj swój dział IT, jak spełnić ten wymóg, a potem zacznij od nowa w aplikacji \(.app)."),
        issuerUnavailable: Ending(
            "Twoja usługa logowania ma problemy i nie dokończyła logowania do aplikacji \(.app).",
            "Poczekaj kilka minut, a potem zacznij od nowa w aplikacji \(.app)."),
        issuerRefused: Ending(
            "Twoja usługa logowania nie przyjęła żądania aplikacji \(.app).",
            "Zacznij od nowa w aplikacji \(.app). Jeśli to się powtórzy, poproś o pomoc osobę, która się nią "
                + "opiekuje."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Nie udało się zweryfikować odpowiedzi Twojej usługi logowania, dlatego aplikacja \(.app) jej nie "
                + "otrzymała.",
            "Zacznij od nowa w aplikacji \(.app). Jeśli to się powtórzy, poproś o pomoc osobę, która się nią "
                + "opiekuje."),
        internalError: Ending(
            "Wystąpił tu błąd i logowanie do aplikacji \(.app) nie zostało zakończone.",
            "Zacznij od nowa w aplikacji \(.app). Jeśli to się powtórzy, poproś o pomoc osobę, która się nią "
                + "opiekuje."))
}

extension QuestionPhrases {
    fileprivate static let polish = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Czy to logowanie zostało rozpoczęte przez Ciebie?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Program pod adresem \(.address) prosi Cię o zalogowanie się do aplikacji \(.app). Twoja "
            + "przeglądarka ma inny adres.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Program na serwerze, który pokazuje tę stronę, prosi Cię o zalogowanie się do aplikacji "
            + "\(.app). Twoja przeglądarka jest gdzie indziej.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Program prosi Cię o zalogowanie się do aplikacji \(.app). Nie wiadomo, gdzie ten program się "
            + "znajduje.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Jeśli to logowanie nie zostało rozpoczęte przez Ciebie, nie kontynuuj. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Jeśli ktoś przysłał Ci ten link, to atak: chce się dostać na Twoje konto.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "Dostęp, na który zezwolisz, dostaje operator \(.host), a nie ten program.",
        // safety: the button says that somebody else began this sign-in
        notMe: "To nie ja",
        proceed: "Przejdź do logowania")
}

extension FactPhrases {
    fileprivate static let polish = FactPhrases(
        askedFrom: "Prośba pochodzi z",
        thisMachine: "serwera, który pokazuje tę stronę",
        // safety: the place is not known
        unknownPlace: "nieznanego miejsca",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "ten sam adres, co adres tej przeglądarki",
        askedAt: "Czas prośby",
        // safety: only the program says so
        hostClaim: "Program podaje, że działa na",
        resource: "Dostęp do",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "Odpowiedź podaje (nikt tego nie sprawdził)",
        reference: "Numer referencyjny, jeśli prosisz o pomoc")
}

extension FramePhrases {
    fileprivate static let polish = FramePhrases(
        updatesItself: "Ta strona sama pokaże, gdy coś się zmieni.",
        reloadToUpdate: "Odśwież tę stronę, aby zobaczyć, czy coś się zmieniło.",
        reload: "Odśwież",
        changed: "Coś się zmieniło: strona jest wczytywana ponownie.",
        unreachable: "Ta usługa jest w tej chwili nieosiągalna. Strona nadal próbuje.",
        stoppedLooking: "Ta strona już sama nie sprawdza zmian. Odśwież ją, aby zobaczyć, czy coś się zmieniło.",
        help: "Pomoc",
        privacy: "Prywatność")
}

extension NoticePhrases {
    fileprivate static let polish = NoticePhrases(
        neutral: Notice(
            heading: "Nie ma tu nic do pokazania",
            explanation: "Tylko przeglądarka, w której się logowano, może zobaczyć wynik tego logowania.",
            next: "Jeśli trwało Twoje logowanie, wróć do swojej aplikacji: ona zna wynik. Możesz zamknąć tę kartę."),
        startedElsewhere: Notice(
            heading: "To logowanie rozpoczęto w innej przeglądarce",
            // safety: it can only be finished in the browser where it was started
            explanation: "Można je dokończyć tylko tam, gdzie się zaczęło. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "To, co Twoja usługa logowania przysłała do tej przeglądarki, nie jest już przyjmowane, nawet tam.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Jeśli ktoś przysłał Ci link do tego logowania, może to być atak: zawiadom swój dział IT. Aby "
                + "zalogować się samodzielnie, zacznij w swojej aplikacji."),
        sendingFragment: Notice(
            heading: "Kończenie logowania",
            explanation: "Odpowiedź Twojej usługi logowania jest w drodze do Twojej aplikacji.",
            next: "Potrwa to kilka sekund."),
        fragmentNeedsScript: Notice(
            heading: "Twoje logowanie nie jest jeszcze zakończone",
            explanation: "Ta strona potrzebuje skryptu, aby przekazać odpowiedź Twojej usługi logowania. Zezwól tej "
                + "stronie na skrypty i odśwież ją albo zacznij od nowa w swojej aplikacji.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Nie kopiuj adresu tej strony i nie wysyłaj go nikomu, nawet jeśli ktoś o to prosi."))
}

private let startAgain = "Zamknij tę kartę i zacznij od nowa w swojej aplikacji."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Nie kopiuj adresu tej strony i nie wysyłaj go nikomu, nawet jeśli ktoś o to prosi. Jeśli chcesz się zalogować, "
    + "zamknij tę kartę i zacznij od nowa w swojej aplikacji."

extension RefusalPhrases {
    fileprivate static let polish = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Tego logowania nie rozpoczęła Twoja aplikacja",
            explanation: "Żadna aplikacja na nie nie czeka, dlatego nic z nim nie zrobiono.",
            next: keepAddress),
        expired: Notice(
            heading: "To logowanie wygasło",
            explanation: "Trwało zbyt długo i Twoja aplikacja już na nie nie czeka.",
            next: startAgain),
        ended: Notice(
            heading: "To logowanie jest już zakończone",
            explanation: "Zostało wcześniej dokończone lub przerwane, a jego linku nie można użyć ponownie.",
            next: "Jeśli nadal chcesz się zalogować, zamknij tę kartę i zacznij od nowa w swojej aplikacji."),
        wrongRedirectURI: Notice(
            heading: "To logowanie trafiło pod niewłaściwy adres",
            explanation: "Należy do innej aplikacji, dlatego nic z nim nie zrobiono.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Ta odpowiedź przyszła z niewłaściwej usługi logowania",
            explanation: "Nie pochodzi z usługi, którą zapytała Twoja aplikacja, dlatego nic z nią nie zrobiono.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Ta odpowiedź przyszła w niewłaściwy sposób",
            explanation: "Twoja aplikacja prosiła o nią w innej formie, dlatego nic z nią nie zrobiono.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Nie udało się zweryfikować tej odpowiedzi",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Nie dowodzi, że pochodzi z Twojej usługi logowania, dlatego nic z nią nie zrobiono.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Nie można odczytać tego logowania",
            explanation: "Część odpowiedzi wystąpiła dwa razy, dlatego nic z nią nie zrobiono.",
            next: keepAddress),
        missingCode: Notice(
            heading: "To logowanie jest niekompletne",
            explanation: "Odpowiedź nie mówi ani że logowanie się powiodło, ani że się nie powiodło.",
            next: startAgain),
        malformed: Notice(
            heading: "Nie można odczytać tego logowania",
            explanation: "Odpowiedź jest uszkodzona lub sprzeczna, dlatego nic z nią nie zrobiono.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "To logowanie rozpoczęto w innej przeglądarce",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Można je dokończyć tylko tam, gdzie się zaczęło, dlatego nic z nim nie zrobiono.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "To logowanie zostało już użyte",
            // safety: it came again with another code, which was not accepted
            explanation: "Przyszło ponownie z innym kodem, którego nie przyjęto.",
            next: keepAddress),
        notFound: Notice(
            heading: "Pod tym adresem nic nie ma",
            explanation: "Adres może być błędnie wpisany lub nieaktualny.",
            next: "Jeśli trwało Twoje logowanie, zamknij tę kartę i zacznij od nowa w swojej aplikacji."),
        wrongForm: Notice(
            heading: "To żądanie nie zostało przyjęte",
            explanation: "Wysłano je w formie, której ten adres nie przyjmuje.",
            next: startAgain),
        tooLarge: Notice(
            heading: "To żądanie jest zbyt duże",
            explanation: "Jest dłuższe niż jakiekolwiek logowanie, dlatego go nie odczytano.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Zbyt wiele żądań",
            explanation: "Z Twojej sieci przyszło więcej żądań, niż można teraz obsłużyć.",
            next: "Poczekaj minutę, a potem odśwież tę stronę."),
        prefetch: Notice(
            heading: "Nic się jeszcze nie stało",
            explanation: "Twoja przeglądarka lub inna strona wczytała ten adres z wyprzedzeniem, a to nikogo nie "
                + "loguje.",
            next: "Odśwież tę stronę, aby kontynuować."),
        unavailable: Notice(
            heading: "Logowanie jest teraz niedostępne",
            explanation: "Ta usługa nie może w tej chwili odpowiedzieć.",
            next: "Poczekaj minutę, a potem odśwież tę stronę."))
}

extension FarMachinePhrases {
    fileprivate static let polish = FarMachinePhrases(
        consent: .polish,
        refused: Message(
            heading: "Nic nie zostało otwarte",
            // safety: the program on the other machine gets nothing
            text: "Program na drugim komputerze nic nie dostaje. Możesz zamknąć tę kartę."),
        ended: Message(
            heading: "To logowanie zostało zakończone",
            text: "Trwało zbyt długo albo jego program już nie działa. Zacznij od nowa w tym programie."),
        alreadyDelivered: Message(
            heading: "To logowanie zostało już przekazane",
            text: "Możesz zamknąć tę kartę i wrócić do swojego programu."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "To logowanie nie zostało rozpoczęte przez Ciebie",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Niczego nie przekazano. Nie podawaj nikomu adresu tej strony."),
        notHere: Message(
            heading: "Tu nic nie ma",
            text: "Program na innym komputerze czeka na logowanie pod innym adresem."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "To nie była Twoja prośba",
            // safety: a page asked in the background, and nothing was passed on
            text: "Jakaś strona poprosiła o to w tle. Niczego nie przekazano."),
        toolGone: Message(
            heading: "Program już nie czeka",
            text: "Zakończył działanie lub przestał czekać, zanim logowanie wróciło. Uruchom go ponownie."),
        toolResponseUnusable: Message(
            heading: "Logowanie zostało przekazane",
            text: "Odpowiedzi programu nie można tu pokazać. Wróć do niego, aby zobaczyć wynik logowania."))
}

extension ConsentPhrases {
    fileprivate static let polish = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Czy to logowanie zostało przed chwilą rozpoczęte przez Ciebie?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Program na \(.host) prosi tę przeglądarkę o zalogowanie się w \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Kontynuuj tylko wtedy, gdy to logowanie zostało przed chwilą rozpoczęte tam przez Ciebie: "
            // safety: the people who control HOST get everything that you are about to allow
            + "kto ma kontrolę nad \(.host), dostanie to, na co za chwilę zezwolisz.",
        host: "Prosi komputer",
        issuer: "Usługa logowania",
        path: "Strona tej usługi",
        // safety: the name of the program is a claim of the far machine
        client: "Program (client ID) według tamtego komputera",
        scope: "Dostęp, o który prosi",
        noScope: "nie podano",
        resource: "Dostęp do tej usługi",
        details: "Szczegóły tego dostępu",
        prompt: "Jak ta usługa ma pytać (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let polish = LoopbackPhrases(
        signedIn: Message(
            heading: "Zalogowano",
            text: "Możesz zamknąć tę kartę i wrócić do swojej aplikacji."),
        failed: Message(
            heading: "Nie zalogowano",
            text: "Wróć do swojej aplikacji: poda powód i tam możesz spróbować ponownie."),
        taken: Message(
            heading: "To logowanie jest już zakończone",
            text: "Zostało wcześniej dokończone lub przerwane. Możesz zamknąć tę kartę i wrócić do swojej aplikacji."),
        tooLate: Message(
            heading: "Żadna aplikacja nie czeka na to logowanie",
            text: "Trwało zbyt długo albo zostało anulowane. Zacznij od nowa w swojej aplikacji."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Tego logowania nie rozpoczęła Twoja aplikacja",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Nic z nim nie zrobiono. Nie kopiuj adresu tej strony i nie wysyłaj go nikomu, nawet jeśli ktoś o to "
                + "prosi."),
        notHere: Message(
            heading: "Pod tym adresem nic nie ma",
            text: "Aplikacja na tym komputerze czeka na logowanie pod innym adresem."),
        notOwnUser: Message(
            heading: "Ta strona jest dla innego użytkownika",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Aplikacja na tym komputerze czeka na przeglądarkę własnego użytkownika i nie ma pewności, że to "
                + "jest ta przeglądarka. Niczego nie zrobiono."))
}

extension DesktopPhrases {
    fileprivate static let polish = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Aplikacja nie może przeprowadzić logowania",
            text: "Plik z jej ustawieniami zawiera błąd i nie jest używany. `switchyard doctor --desktop` "
                + "powie, który to plik."),
        noApp: Message(
            heading: "To logowanie nie należy do żadnej aplikacji",
            text: "Żadna aplikacja tej sesji nie ma adresu, pod który skierowano przeglądarkę. "
                // safety: do not give the address to anybody
                + "Nie podawaj go nikomu."),
        notAwaited: Message(
            heading: "Żadna aplikacja nie czeka na to logowanie",
            text: "Nie rozpoczęła go aplikacja tej sesji albo ta aplikacja już nie czeka. "
                // safety: do not give the address of the page to anybody
                + "Nie podawaj nikomu adresu strony. "
                + "Aby się zalogować, zacznij od nowa w swojej aplikacji."),
        used: Message(
            heading: "To logowanie zostało już użyte",
            text: "Wróć do swojej aplikacji. Jeśli nadal czeka, zacznij tam od nowa."),
        expired: Message(
            heading: "To logowanie trwało zbyt długo",
            text: "Zacznij od nowa w swojej aplikacji."),
        appIsGone: Message(
            heading: "Nie można połączyć się z Twoją aplikacją",
            text: "Uruchom ją i zaloguj się w niej jeszcze raz."),
        outOfReach: Message(
            heading: "Nie udało się przekazać logowania",
            text: "Program, który przekazuje je aplikacji, nie uruchamia się. `switchyard doctor` powie "
                + "dlaczego. Potem zacznij od nowa w swojej aplikacji."),
        keyringLocked: Message(
            heading: "Logowanie nie jest jeszcze zapisane",
            text: "Baza kluczy jest zablokowana. Odblokuj ją, a logowanie zapisze się samo. W przeciwnym razie "
                + "w następnej sesji trzeba będzie zalogować się jeszcze raz."),
        signInNeeded: Message(
            heading: "Program czeka na Twoje logowanie",
            text: "Chce w Twoim imieniu używać serwera podanego poniżej. "
                // safety: sign in only if you expect it
                + "Tylko jeśli się tego spodziewasz, otwórz adres w przeglądarce i zaloguj się."),
        notSaved: Message(
            heading: "Logowanie nie jest jeszcze zapisane",
            text: "Coś w tym przeszkadza, na przykład pełny dysk; być może `switchyard doctor` powie co. Potem "
                + "logowanie zapisze się samo. W przeciwnym razie w następnej sesji trzeba będzie "
                + "zalogować się jeszcze raz."))
}
