internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let czech = Phrases(
        signIn: .czech, endings: .czech, question: .czech, facts: .czech, frame: .czech, notices: .czech,
        refusals: .czech, farMachine: .czech, loopback: .czech,
        desktop: .czech)
}

extension SignInPhrases {
    fileprivate static let czech = SignInPhrases(
        collected: Notice(
            heading: "Jste přihlášeni",
            explanation: "Aplikace \(.app) obdržela vaše přihlášení.",
            next: "Tuto kartu můžete zavřít a vrátit se do aplikace \(.app)."),
        waitingForApp: Notice(
            heading: "Už je to téměř hotovo",
            explanation: "Přihlášení se podařilo, ale aplikace \(.app) si ho ještě nevyzvedla.",
            next: "Vraťte se do aplikace \(.app) a zkontrolujte, zda stále běží. Tuto kartu už nepotřebuje."),
        redeeming: Notice(
            heading: "Dokončování přihlášení",
            explanation: "Vaše přihlášení do aplikace \(.app) se právě dokončuje.",
            next: "Trvá to několik sekund."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Zadejte tento kód do programu, který jste spustili",
            explanation: "Vaše přihlášení do aplikace \(.app) bude pokračovat, jakmile bude mít ten program tento kód:",
            // safety: type it only into a program that you started yourself
            next: "Zadejte ho jen do programu, který jste sami spustili: do aplikace, terminálu, vlastního "
                + "programovacího agenta. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Nikdo vás o něj nepožádá: ani telefonem, ani e-mailem, ani zprávou. Kdo vás o něj požádá, chce "
                + "proniknout do vašeho účtu."),
        returning: Notice(
            heading: "Návrat do vaší aplikace",
            explanation: "Vracíte se do aplikace \(.app), která přihlášení dokončí.",
            next: "Pokud se nic nestane, použijte tento odkaz:"),
        openApp: "Zpět do aplikace \(.app)",
        delivered: Notice(
            heading: "Pokračujte ve své aplikaci",
            explanation: "Aplikace \(.app) obdržela odpověď vaší přihlašovací služby.",
            next: "Tuto kartu můžete zavřít a vrátit se do aplikace \(.app), která ukáže, jak přihlášení dopadlo."),
        delivering: Notice(
            heading: "Spojování s vaší aplikací",
            explanation: "Odpověď vaší přihlašovací služby je na cestě do aplikace \(.app).",
            next: "Trvá to několik sekund, nebo déle, pokud se aplikace \(.app) musí nejprve spustit."),
        undelivered: Notice(
            heading: "S vaší aplikací se nepodařilo spojit",
            explanation: "Aplikace \(.app) nepřijala odpověď vaší přihlašovací služby: buď zde neběží, nebo "
                + "neodpovídá.",
            next: "Otevřete aplikaci \(.app) a začněte s přihlášením znovu tam. Pokud se to bude opakovat, požádejte o "
                + "pomoc toho, kdo ji spravuje."),
        passedOn: Notice(
            heading: "Pokračujte ve své aplikaci",
            explanation: "Váš prohlížeč byl s odpovědí vaší přihlašovací služby přesměrován do aplikace \(.app) na "
                + "tomto počítači.",
            next: "Pokud místo toho zobrazil chybu, aplikace \(.app) už na toto přihlášení nečeká: začněte znovu v "
                + "ní."))
}

extension EndingPhrases {
    fileprivate static let czech = EndingPhrases(
        heading: "Nejste přihlášeni",
        accessDenied: Ending(
            "Přihlášení do aplikace \(.app) bylo odmítnuto, buď vámi, nebo pravidlem vaší organizace.",
            "Chcete-li to zkusit znovu, zavřete tuto kartu a začněte v aplikaci \(.app)."),
        canceled: Ending(
            "Přihlášení do aplikace \(.app) bylo zrušeno.",
            "Tuto kartu můžete zavřít. Pokud se přece jen chcete přihlásit, začněte znovu v aplikaci \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "Přihlášení do aplikace \(.app) bylo ukončeno, protože jste uvedli, že jste to nebyli vy. Nikdo přístup "
                + "nezískal.",
            // safety: if somebody sent you the link, tell your IT department
            "Tuto kartu můžete zavřít. Pokud vám odkaz někdo poslal, informujte své IT oddělení."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Bylo zadáno příliš mnoho chybných kódů, proto bylo přihlášení do aplikace \(.app) ukončeno. Nikdo přístup "
                + "nezískal.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Pokud jste to byli vy, začněte znovu v aplikaci \(.app). Pokud ne, možná se někdo jiný pokusil proniknout "
                + "do vašeho účtu: informujte své IT oddělení."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Kód nebyl zadán včas, proto bylo přihlášení do aplikace \(.app) ukončeno. Nikdo přístup nezískal.",
            "Zavřete tuto kartu a začněte znovu v aplikaci \(.app)."),
        codeNotTaken: Ending(
            "Kód byl zadán tak pozdě, že vaše přihlašovací služba už přihlášení do aplikace \(.app) nepřijímá.",
            "Začněte znovu v aplikaci \(.app) a zadejte kód, jakmile ho uvidíte."),
        declinedScopes: Ending(
            "Aplikace \(.app) nezískala všechna potřebná oprávnění, proto přihlášení nebylo dokončeno.",
            "Začněte znovu v aplikaci \(.app) a povolte, oč žádá. Pokud nemůžete, obraťte se na své IT oddělení."),
        expired: Ending(
            "Přihlášení do aplikace \(.app) trvalo příliš dlouho a jeho platnost vypršela.",
            "Zavřete tuto kartu a začněte znovu v aplikaci \(.app)."),
        interactionRequired: Ending(
            "Vaše přihlašovací služba od vás potřebuje ještě jeden krok, než bude aplikace \(.app) moci pokračovat.",
            "Zavřete tuto kartu a začněte znovu v aplikaci \(.app)."),
        protectionPolicyRequired: Ending(
            "Vaše organizace povoluje aplikaci \(.app) jen na zařízeních nebo v aplikacích, které spravuje.",
            "Zeptejte se svého IT oddělení, jak tento požadavek splnit, a pak začněte znovu v aplikaci \(.app)."),
        issuerUnavailable: Ending(
            "Vaše přihlašovací služba má potíže a přihlášení do aplikace \(.app) nedokončila.",
            "Počkejte několik minut a pak začněte znovu v aplikaci \(.app)."),
        issuerRefused: Ending(
            "Vaše přihlašovací služba nepřijala požadavek aplikace \(.app).",
            "Začněte znovu v aplikaci \(.app). Pokud se to bude opakovat, požádejte o pomoc toho, kdo ji spravuje."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Odpověď vaší přihlašovací služby se nepodařilo ověřit, proto ji aplikace \(.app) nedostala.",
            "Začněte znovu v aplikaci \(.app). Pokud se to bude opakovat, požádejte o pomoc toho, kdo ji spravuje."),
        internalError: Ending(
            "Něco se zde nezdařilo a přihlášení do aplikace \(.app) nebylo dokončeno.",
            "Začněte znovu v aplikaci \(.app). Pokud se to bude opakovat, požádejte o pomoc toho, kdo ji spravuje."))
}

extension QuestionPhrases {
    fileprivate static let czech = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Zahájili jste toto přihlášení vy?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Program na adrese \(.address) vás žádá, abyste se přihlásili do aplikace \(.app). Váš prohlížeč je "
            + "na jiné adrese.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Program na serveru, který zobrazuje tuto stránku, vás žádá, abyste se přihlásili do aplikace "
            + "\(.app). Váš prohlížeč je jinde.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Nějaký program vás žádá, abyste se přihlásili do aplikace \(.app). Není známo, kde se tento "
            + "program nachází.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Pokud jste přihlášení nezahájili sami, nepokračujte. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Pokud vám tento odkaz někdo poslal, je to útok: chce proniknout do vašeho účtu.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "Přístup, který povolíte, získá provozovatel \(.host), nikoli tento program.",
        // safety: the button says that somebody else began this sign-in
        notMe: "To nejsem já",
        proceed: "Pokračovat k přihlášení")
}

extension FactPhrases {
    fileprivate static let czech = FactPhrases(
        askedFrom: "Požadavek přišel z",
        thisMachine: "serveru, který zobrazuje tuto stránku",
        // safety: the place is not known
        unknownPlace: "neznámého místa",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "stejná adresa, jakou má tento prohlížeč",
        askedAt: "Čas požadavku",
        // safety: only the program says so
        hostClaim: "Program uvádí, že běží na",
        resource: "Přístup k",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "Odpověď uvádí (nikdo to neověřil)",
        reference: "Referenční číslo, pokud žádáte o pomoc")
}

extension FramePhrases {
    fileprivate static let czech = FramePhrases(
        updatesItself: "Tato stránka sama ukáže, když se něco změní.",
        reloadToUpdate: "Načtěte tuto stránku znovu, abyste viděli, zda se něco změnilo.",
        reload: "Načíst znovu",
        changed: "Něco se změnilo: stránka se načítá znovu.",
        unreachable: "Tato služba je nyní nedostupná. Stránka to zkouší dál.",
        stoppedLooking: "Tato stránka už sama nezjišťuje změny. Načtěte ji znovu, abyste viděli, zda se něco změnilo.",
        help: "Nápověda",
        privacy: "Ochrana soukromí")
}

extension NoticePhrases {
    fileprivate static let czech = NoticePhrases(
        neutral: Notice(
            heading: "Zde není co zobrazit",
            explanation: "Výsledek přihlášení může vidět jen prohlížeč, ve kterém přihlášení proběhlo.",
            next: "Pokud jste se právě přihlašovali, vraťte se do své aplikace: výsledek zná. Tuto kartu můžete "
                + "zavřít."),
        startedElsewhere: Notice(
            heading: "Toto přihlášení bylo zahájeno v jiném prohlížeči",
            // safety: it can only be finished in the browser where it was started
            explanation: "Dokončit ho lze jen tam, kde bylo zahájeno. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "To, co vaše přihlašovací služba poslala tomuto prohlížeči, se už nepřijímá, ani tam.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Pokud vám odkaz na toto přihlášení někdo poslal, může jít o útok: informujte své IT oddělení. Pokud "
                + "se chcete sami přihlásit, začněte ve své aplikaci."),
        sendingFragment: Notice(
            heading: "Dokončování přihlášení",
            explanation: "Odpověď vaší přihlašovací služby je na cestě do vaší aplikace.",
            next: "Trvá to několik sekund."),
        fragmentNeedsScript: Notice(
            heading: "Vaše přihlášení ještě není dokončeno",
            explanation: "Tato stránka potřebuje skript, aby předala odpověď vaší přihlašovací služby. Povolte na této "
                + "stránce skripty a načtěte ji znovu, nebo začněte znovu ve své aplikaci.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Adresu této stránky nekopírujte a nikomu ji neposílejte, ani když vás o to někdo požádá."))
}

private let startAgain = "Zavřete tuto kartu a začněte znovu ve své aplikaci."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Adresu této stránky nekopírujte a nikomu ji neposílejte, ani když vás o to někdo požádá. Pokud se chcete "
    + "přihlásit, zavřete tuto kartu a začněte znovu ve své aplikaci."

extension RefusalPhrases {
    fileprivate static let czech = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Toto přihlášení nezahájila vaše aplikace",
            explanation: "Žádná aplikace na něj nečeká, proto se s ním nic neprovedlo.",
            next: keepAddress),
        expired: Notice(
            heading: "Platnost tohoto přihlášení vypršela",
            explanation: "Trvalo příliš dlouho a vaše aplikace už na něj nečeká.",
            next: startAgain),
        ended: Notice(
            heading: "Toto přihlášení už skončilo",
            explanation: "Bylo dříve dokončeno nebo ukončeno a jeho odkaz nelze znovu použít.",
            next: "Pokud se stále chcete přihlásit, zavřete tuto kartu a začněte znovu ve své aplikaci."),
        wrongRedirectURI: Notice(
            heading: "Toto přihlášení přišlo na nesprávnou adresu",
            explanation: "Patří jiné aplikaci, proto se s ním nic neprovedlo.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Tato odpověď přišla od nesprávné přihlašovací služby",
            explanation: "Není od služby, které se vaše aplikace zeptala, proto se s ní nic neprovedlo.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Tato odpověď přišla nesprávným způsobem",
            explanation: "Vaše aplikace o ni žádala v jiné podobě, proto se s ní nic neprovedlo.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Tuto odpověď se nepodařilo ověřit",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Neprokazuje, že je od vaší přihlašovací služby, proto se s ní nic neprovedlo.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Toto přihlášení nelze přečíst",
            explanation: "Část odpovědi se vyskytla dvakrát, proto se s ní nic neprovedlo.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Toto přihlášení není úplné",
            explanation: "Odpověď neříká ani že se přihlášení podařilo, ani že selhalo.",
            next: startAgain),
        malformed: Notice(
            heading: "Toto přihlášení nelze přečíst",
            explanation: "Odpověď je poškozená nebo si odporuje, proto se s ní nic neprovedlo.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Toto přihlášení bylo zahájeno v jiném prohlížeči",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Dokončit ho lze jen tam, kde bylo zahájeno, proto se s ním nic neprovedlo.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Toto přihlášení už bylo použito",
            // safety: it came again with another code, which was not accepted
            explanation: "Přišlo znovu s jiným kódem, který nebyl přijat.",
            next: keepAddress),
        notFound: Notice(
            heading: "Na této adrese nic není",
            explanation: "Adresa může být chybně napsaná nebo zastaralá.",
            next: "Pokud jste se právě přihlašovali, zavřete tuto kartu a začněte znovu ve své aplikaci."),
        wrongForm: Notice(
            heading: "Tento požadavek nebyl přijat",
            explanation: "Byl odeslán v podobě, kterou tato adresa nepřijímá.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Tento požadavek je příliš velký",
            explanation: "Je delší než jakékoli přihlášení, proto nebyl přečten.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Příliš mnoho požadavků",
            explanation: "Z vaší sítě přišlo více požadavků, než kolik jich lze nyní vyřídit.",
            next: "Počkejte minutu a pak tuto stránku načtěte znovu."),
        prefetch: Notice(
            heading: "Zatím se nic nestalo",
            explanation: "Váš prohlížeč nebo jiná stránka tuto adresu načetla předem, a tím se nikdo nepřihlásí.",
            next: "Chcete-li pokračovat, načtěte tuto stránku znovu."),
        unavailable: Notice(
            heading: "Přihlášení teď není dostupné",
            explanation: "Tato služba nyní nemůže odpovědět.",
            next: "Počkejte minutu a pak tuto stránku načtěte znovu."))
}

extension FarMachinePhrases {
    fileprivate static let czech = FarMachinePhrases(
        consent: .czech,
        refused: Message(
            heading: "Nic se neotevřelo",
            // safety: the program on the other machine gets nothing
            text: "Program na druhém počítači nic nezíská. Tuto kartu můžete zavřít."),
        ended: Message(
            heading: "Toto přihlášení bylo ukončeno",
            text: "Trvalo příliš dlouho, nebo už jeho program neběží. Začněte znovu v tomto programu."),
        alreadyDelivered: Message(
            heading: "Toto přihlášení už bylo předáno",
            text: "Tuto kartu můžete zavřít a vrátit se do svého programu."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Toto přihlášení jste nezahájili vy",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Nic se nepředalo. Nikomu nedávejte adresu této stránky."),
        notHere: Message(
            heading: "Nic tu není",
            text: "Program na jiném počítači čeká na přihlášení na jiné adrese."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "O toto jste nežádali vy",
            // safety: a page asked in the background, and nothing was passed on
            text: "Požádala o to na pozadí nějaká stránka. Nic se nepředalo."),
        toolGone: Message(
            heading: "Program už nečeká",
            text: "Skončil nebo přestal čekat dříve, než se přihlášení vrátilo. Spusťte ho znovu."),
        toolResponseUnusable: Message(
            heading: "Přihlášení bylo předáno",
            text: "Odpověď programu zde nelze zobrazit. Vraťte se do něj, abyste viděli, jak přihlášení dopadlo."))
}

extension ConsentPhrases {
    fileprivate static let czech = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Zahájili jste právě teď toto přihlášení vy?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Program na \(.host) žádá tento prohlížeč, aby se přihlásil u \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Pokračujte jen tehdy, pokud jste to tam právě zahájili: "
            // safety: the people who control HOST get everything that you are about to allow
            + "kdo ovládá \(.host), získá to, co se chystáte povolit.",
        host: "Žádá počítač",
        issuer: "Přihlašovací služba",
        path: "Stránka této služby",
        // safety: the name of the program is a claim of the far machine
        client: "Program (client ID) podle toho počítače",
        scope: "Požadovaný přístup",
        noScope: "neuvedeno",
        resource: "Přístup k této službě",
        details: "Podrobnosti tohoto přístupu",
        prompt: "Jak se má tato služba ptát (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let czech = LoopbackPhrases(
        signedIn: Message(
            heading: "Jste přihlášeni",
            text: "Tuto kartu můžete zavřít a vrátit se do své aplikace."),
        failed: Message(
            heading: "Nejste přihlášeni",
            text: "Vraťte se do své aplikace: uvede důvod a můžete to tam zkusit znovu."),
        taken: Message(
            heading: "Toto přihlášení už skončilo",
            text: "Bylo dříve dokončeno nebo ukončeno. Tuto kartu můžete zavřít a vrátit se do své aplikace."),
        tooLate: Message(
            heading: "Na toto přihlášení nečeká žádná aplikace",
            text: "Trvalo příliš dlouho nebo bylo zrušeno. Začněte znovu ve své aplikaci."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Toto přihlášení nezahájila vaše aplikace",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Nic se s ním neprovedlo. Adresu této stránky nekopírujte a nikomu ji neposílejte, ani když vás o to "
                + "někdo požádá."),
        notHere: Message(
            heading: "Na této adrese nic není",
            text: "Aplikace na tomto počítači čeká na přihlášení na jiné adrese."),
        notOwnUser: Message(
            heading: "Tato stránka je pro jiného uživatele",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Aplikace na tomto počítači čeká na prohlížeč svého vlastního uživatele a není jisté, že je to tento "
                + "prohlížeč. Nic se neprovedlo."))
}

extension DesktopPhrases {
    fileprivate static let czech = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Aplikace vás nemůže přihlásit",
            text: "Soubor s jejím nastavením obsahuje chybu a nepoužívá se. `switchyard doctor --desktop` "
                + "řekne, který soubor to je."),
        noApp: Message(
            heading: "Toto přihlášení nepatří žádné aplikaci",
            text: "Žádná aplikace této relace nemá adresu, na kterou byl váš prohlížeč poslán. "
                // safety: do not give the address to anybody
                + "Nikomu ji nedávejte."),
        notAwaited: Message(
            heading: "Na toto přihlášení žádná aplikace nečeká",
            text: "Nezačala ho aplikace této relace, nebo už tato aplikace nečeká. "
                // safety: do not give the address of the page to anybody
                + "Adresu stránky nikomu nedávejte. "
                + "Chcete-li se přihlásit, začněte znovu ve své aplikaci."),
        used: Message(
            heading: "Toto přihlášení už bylo použito",
            text: "Vraťte se do své aplikace. Pokud stále čeká, začněte tam znovu."),
        expired: Message(
            heading: "Toto přihlášení trvalo příliš dlouho",
            text: "Začněte znovu ve své aplikaci."),
        appIsGone: Message(
            heading: "Vaše aplikace není dostupná",
            text: "Spusťte ji a přihlaste se v ní znovu."),
        outOfReach: Message(
            heading: "Vaše přihlášení se nepodařilo předat",
            text: "Program, který ho předává vaší aplikaci, se nespustí. `switchyard doctor` řekne proč. Potom "
                + "začněte znovu ve své aplikaci."),
        keyringLocked: Message(
            heading: "Vaše přihlášení ještě není uloženo",
            text: "Klíčenka je zamčená. Odemkněte ji a přihlášení se uloží samo. Jinak se v příští relaci "
                + "budete muset přihlásit znovu."),
        signInNeeded: Message(
            heading: "Program čeká na vaše přihlášení",
            text: "Chce vaším jménem používat níže uvedený server. "
                // safety: sign in only if you expect it
                + "Jen pokud to očekáváte, otevřete adresu v prohlížeči a přihlaste se."),
        notSaved: Message(
            heading: "Vaše přihlášení ještě není uloženo",
            text: "Něco tomu brání, například plný disk; `switchyard doctor` možná řekne co. Potom se "
                + "přihlášení uloží samo. Jinak se v příští relaci budete muset přihlásit znovu."))
}
