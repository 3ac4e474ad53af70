internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let spanish = Phrases(
        signIn: .spanish, endings: .spanish, question: .spanish, facts: .spanish, frame: .spanish, notices: .spanish,
        refusals: .spanish, farMachine: .spanish, loopback: .spanish,
        desktop: .spanish)
}

extension SignInPhrases {
    fileprivate static let spanish = SignInPhrases(
        collected: Notice(
            heading: "Ha iniciado sesión",
            explanation: "\(.app) ha recibido su inicio de sesión.",
            next: "Puede cerrar esta pestaña y volver a \(.app)."),
        waitingForApp: Notice(
            heading: "Ya casi está",
            explanation: "El inicio de sesión ha funcionado, pero \(.app) todavía no ha recogido el resultado.",
            next: "Vuelva a \(.app) y compruebe que sigue abierta. Ya no necesita nada más de esta pestaña."),
        redeeming: Notice(
            heading: "Completando el inicio de sesión",
            explanation: "Se está completando su inicio de sesión en \(.app).",
            next: "Tardará unos segundos."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Escriba este código en el programa que ha iniciado",
            explanation: "Su inicio de sesión en \(.app) continuará en cuanto ese programa tenga este código:",
            // safety: type it only into a program that you started yourself
            next: "Escríbalo únicamente en el programa que ha iniciado usted: una aplicación, una terminal, su propio "
                + "agente de programación. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Nadie se lo va a pedir: ni por teléfono, ni por correo electrónico, ni por mensaje. Quien se lo "
                + "pida quiere entrar en su cuenta."),
        returning: Notice(
            heading: "Volviendo a su aplicación",
            explanation: "Está volviendo a \(.app), que completará el inicio de sesión.",
            next: "Si no ocurre nada, use este enlace:"),
        openApp: "Volver a \(.app)",
        delivered: Notice(
            heading: "Continúe en su aplicación",
            explanation: "\(.app) ha recibido la respuesta de su servicio de inicio de sesión.",
            next: "Puede cerrar esta pestaña y volver a \(.app), donde verá si el inicio de sesión se ha realizado."),
        delivering: Notice(
            heading: "Contactando con su aplicación",
            explanation: "La respuesta de su servicio de inicio de sesión está en camino hacia \(.app).",
            next: "Tardará unos segundos, o más si \(.app) tiene que arrancar primero."),
        undelivered: Notice(
            heading: "No se ha podido contactar con su aplicación",
            explanation: "\(.app) no ha recogido la respuesta de su servicio de inicio de sesión: no está abierta aquí "
                + "o no responde.",
            next: "Abra \(.app) y vuelva a iniciar sesión desde allí. Si vuelve a ocurrir, pida ayuda a quien se "
                + "encarga de esa aplicación."),
        passedOn: Notice(
            heading: "Continúe en su aplicación",
            explanation: "Su navegador se ha dirigido a \(.app) en este equipo, con la respuesta de su servicio de "
                + "inicio de sesión.",
            next: "Si en su lugar ha mostrado un error, \(.app) ya no espera este inicio de sesión: empiece de nuevo "
                + "desde allí."))
}

extension EndingPhrases {
    fileprivate static let spanish = EndingPhrases(
        heading: "No ha iniciado sesión",
        accessDenied: Ending(
            "El inicio de sesión en \(.app) se ha rechazado, o bien por usted o bien por una regla de su organización.",
            "Para volver a intentarlo, cierre esta pestaña y empiece desde \(.app)."),
        canceled: Ending(
            "El inicio de sesión en \(.app) se ha cancelado.",
            "Puede cerrar esta pestaña. Si al final quiere iniciar sesión, empiece de nuevo desde \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "El inicio de sesión en \(.app) se ha interrumpido porque usted ha dicho que no ha sido usted. Nadie ha "
                + "obtenido acceso.",
            // safety: if somebody sent you the link, tell your IT department
            "Puede cerrar esta pestaña. Si alguien le ha enviado el enlace, avise a su departamento de informática."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Se han escrito demasiados códigos incorrectos, por lo que el inicio de sesión en \(.app) se ha "
                + "interrumpido. Nadie ha obtenido acceso.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Si ha sido usted, empiece de nuevo desde \(.app). Si no, puede que otra persona haya intentado entrar en "
                + "su cuenta: avise a su departamento de informática."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "El código no se ha escrito a tiempo, por lo que el inicio de sesión en \(.app) se ha interrumpido. Nadie "
                + "ha obtenido acceso.",
            "Cierre esta pestaña y empiece de nuevo desde \(.app)."),
        codeNotTaken: Ending(
            "El código se ha escrito tan tarde que su servicio de inicio de sesión ya no acepta el inicio de sesión en "
                + "\(.app).",
            "Empiece de nuevo desde \(.app) y escriba el código en cuanto lo vea."),
        declinedScopes: Ending(
            "\(.app) no ha obtenido todos los permisos que necesita, por lo que el inicio de sesión no se ha "
                + "completado.",
            "Empiece de nuevo desde \(.app) y permita lo que pide. Si no puede, consulte a su departamento de "
                + "informática."),
        expired: Ending(
            "El inicio de sesión en \(.app) ha tardado demasiado y ha caducado.",
            "Cierre esta pestaña y empiece de nuevo desde \(.app)."),
        interactionRequired: Ending(
            "Su servicio de inicio de sesión necesita un paso más de usted antes de que \(.app) pueda continuar.",
            "Cierre esta pestaña y empiece de nuevo desde \(.app)."),
        protectionPolicyRequired: Ending(
            "Su organización solo permite \(.app) en dispositivos o aplicaciones que ella administra.",
            "Pregunte a su departamento de informática cómo cumplir este requisito y empiece de nuevo desde \(.app)."),
        issuerUnavailable: Ending(
            "Su servicio de inicio de sesión tiene problemas y no ha completado el inicio de sesión en \(.app).",
            "Espere unos minutos y empiece de nuevo desde \(.app)."),
        issuerRefused: Ending(
            "Su servicio de inicio de sesión no ha aceptado la solicitud de \(.app).",
            "Empiece de nuevo desde \(.app). Si vuelve a ocurrir, pida ayuda a quien se encarga de esa aplicación."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "No se ha podido verificar la respuesta de su servicio de inicio de sesión, por lo que \(.app) no la ha "
                + "recibido.",
            "Empiece de nuevo desde \(.app). Si vuelve a ocurrir, pida ayuda a quien se encarga de esa aplicación."),
        internalError: Ending(
            "Ha ocurrido un error aquí y el inicio de sesión en \(.app) no se ha completado.",
            "Empiece de nuevo desde \(.app). Si vuelve a ocurrir, pida ayuda a quien se encarga de esa aplicación."))
}

extension QuestionPhrases {
    fileprivate static let spanish = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "¿Ha empezado usted este inicio de sesión?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Un programa en la dirección \(.address) le pide que inicie sesión en \(.app). Su navegador está en "
            + "otra dirección.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Un programa en el servidor que muestra esta página le pide que inicie sesión en \(.app). Su "
            + "navegador está en otro lugar.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Un programa le pide que inicie sesión en \(.app). No se sabe dónde está ese programa.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Si no ha empezado esto usted, no continúe. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Si alguien le ha enviado este enlace, es un ataque: quieren entrar en su cuenta.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "El acceso que usted permita lo obtiene el operador de \(.host), no el programa.",
        // safety: the button says that somebody else began this sign-in
        notMe: "No he sido yo",
        proceed: "Continuar al inicio de sesión")
}

extension FactPhrases {
    fileprivate static let spanish = FactPhrases(
        askedFrom: "Solicitado desde",
        thisMachine: "el servidor que muestra esta página",
        // safety: the place is not known
        unknownPlace: "un lugar desconocido",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "la misma dirección que este navegador",
        askedAt: "Hora de la solicitud",
        // safety: only the program says so
        hostClaim: "El programa dice que se ejecuta en",
        resource: "Acceso a",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "La respuesta dice (nadie lo ha verificado)",
        reference: "Referencia, si pide ayuda")
}

extension FramePhrases {
    fileprivate static let spanish = FramePhrases(
        updatesItself: "Esta página muestra por sí sola cuándo cambia algo.",
        reloadToUpdate: "Vuelva a cargar esta página para ver si algo ha cambiado.",
        reload: "Volver a cargar",
        changed: "Algo ha cambiado: la página se está volviendo a cargar.",
        unreachable: "En este momento no se puede contactar con este servicio. La página lo sigue intentando.",
        stoppedLooking: "Esta página ya no busca cambios por sí sola. Vuelva a cargarla para ver si algo ha cambiado.",
        help: "Ayuda",
        privacy: "Privacidad")
}

extension NoticePhrases {
    fileprivate static let spanish = NoticePhrases(
        neutral: Notice(
            heading: "Aquí no hay nada que mostrar",
            explanation: "Solo el navegador en el que se inició sesión puede ver el resultado.",
            next: "Si estaba iniciando sesión, vuelva a su aplicación: ella conoce el resultado. Puede cerrar esta "
                + "pestaña."),
        startedElsewhere: Notice(
            heading: "Este inicio de sesión se empezó en otro navegador",
            // safety: it can only be finished in the browser where it was started
            explanation: "Solo se puede completar donde se empezó. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Lo que su servicio de inicio de sesión ha enviado a este navegador ya no se acepta, ni siquiera "
                + "allí.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Si alguien le ha enviado el enlace de este inicio de sesión, puede ser un ataque: avise a su "
                + "departamento de informática. Para iniciar sesión usted, empiece desde su aplicación."),
        sendingFragment: Notice(
            heading: "Completando el inicio de sesión",
            explanation: "La respuesta de su servicio de inicio de sesión está en camino hacia su aplicación.",
            next: "Tardará unos segundos."),
        fragmentNeedsScript: Notice(
            heading: "Su inicio de sesión aún no se ha completado",
            explanation: "Esta página necesita un script para transmitir la respuesta de su servicio de inicio de "
                + "sesión. Permita los scripts en esta página y vuelva a cargarla, o empiece de nuevo desde su "
                + "aplicación.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "No copie la dirección de esta página ni se la envíe a nadie, aunque se lo pidan."))
}

private let startAgain = "Cierre esta pestaña y empiece de nuevo desde su aplicación."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "No copie la dirección de esta página ni se la envíe a nadie, aunque se lo pidan. Si quiere iniciar sesión, cierre "
    + "esta pestaña y empiece de nuevo desde su aplicación."

extension RefusalPhrases {
    fileprivate static let spanish = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Su aplicación no ha empezado este inicio de sesión",
            explanation: "Ninguna aplicación lo espera, por lo que no se ha hecho nada con él.",
            next: keepAddress),
        expired: Notice(
            heading: "Este inicio de sesión ha caducado",
            explanation: "Ha tardado demasiado y su aplicación ya no lo espera.",
            next: startAgain),
        ended: Notice(
            heading: "Este inicio de sesión ya ha terminado",
            explanation: "Ya se había completado o interrumpido, y su enlace no se puede volver a usar.",
            next: "Si todavía quiere iniciar sesión, cierre esta pestaña y empiece de nuevo desde su aplicación."),
        wrongRedirectURI: Notice(
            heading: "Este inicio de sesión ha llegado a una dirección equivocada",
            explanation: "Pertenece a otra aplicación, por lo que no se ha hecho nada con él.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Esta respuesta viene del servicio de inicio de sesión equivocado",
            explanation: "No es del servicio al que su aplicación preguntó, por lo que no se ha hecho nada con ella.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Esta respuesta ha llegado de forma equivocada",
            explanation: "Su aplicación la pidió de otra forma, por lo que no se ha hecho nada con ella.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Esta respuesta no se ha podido verificar",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "No demuestra que venga de su servicio de inicio de sesión, por lo que no se ha hecho nada "
                + "con ella.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Este inicio de sesión no se puede leer",
            explanation: "Una parte de la respuesta aparecía dos veces, por lo que no se ha hecho nada con ella.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Este inicio de sesión está incompleto",
            explanation: "La respuesta no dice ni que el inicio de sesión se haya realizado ni que haya fallado.",
            next: startAgain),
        malformed: Notice(
            heading: "Este inicio de sesión no se puede leer",
            explanation: "La respuesta está dañada o se contradice, por lo que no se ha hecho nada con ella.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Este inicio de sesión se empezó en otro navegador",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Solo se puede completar donde se empezó, por lo que no se ha hecho nada con él.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Este inicio de sesión ya se ha usado",
            // safety: it came again with another code, which was not accepted
            explanation: "Ha llegado otra vez con otro código, que no se ha aceptado.",
            next: keepAddress),
        notFound: Notice(
            heading: "No hay nada en esta dirección",
            explanation: "Puede que la dirección esté mal escrita o anticuada.",
            next: "Si estaba iniciando sesión, cierre esta pestaña y empiece de nuevo desde su aplicación."),
        wrongForm: Notice(
            heading: "Esta solicitud no se ha aceptado",
            explanation: "Se ha enviado de una forma que esta dirección no admite.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Esta solicitud es demasiado grande",
            explanation: "Es más larga que cualquier inicio de sesión, por lo que no se ha leído.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Demasiadas solicitudes",
            explanation: "Han llegado de su red más solicitudes de las que se pueden atender ahora.",
            next: "Espere un minuto y vuelva a cargar esta página."),
        prefetch: Notice(
            heading: "Todavía no ha pasado nada",
            explanation: "Su navegador u otra página ha cargado esta dirección por adelantado, y eso no inicia la "
                + "sesión de nadie.",
            next: "Vuelva a cargar esta página para continuar."),
        unavailable: Notice(
            heading: "No se puede iniciar sesión en este momento",
            explanation: "Este servicio no puede responder en este momento.",
            next: "Espere un minuto y vuelva a cargar esta página."))
}

extension FarMachinePhrases {
    fileprivate static let spanish = FarMachinePhrases(
        consent: .spanish,
        refused: Message(
            heading: "No se ha abierto nada",
            // safety: the program on the other machine gets nothing
            text: "El programa del otro equipo no obtiene nada. Puede cerrar esta pestaña."),
        ended: Message(
            heading: "Este inicio de sesión ha terminado",
            text: "Ha tardado demasiado o su programa ya no está. Empiece de nuevo en ese programa."),
        alreadyDelivered: Message(
            heading: "Este inicio de sesión ya se ha transmitido",
            text: "Puede cerrar esta pestaña y volver a su programa."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Usted no ha empezado este inicio de sesión",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "No se ha transmitido nada. No dé la dirección de esta página a nadie."),
        notHere: Message(
            heading: "Aquí no hay nada",
            text: "Un programa de otro equipo espera un inicio de sesión en otra dirección."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Usted no ha pedido esto",
            // safety: a page asked in the background, and nothing was passed on
            text: "Una página lo ha pedido en segundo plano. No se ha transmitido nada."),
        toolGone: Message(
            heading: "El programa ya no espera",
            text: "Se cerró o dejó de esperar antes de que volviera el inicio de sesión. Inícielo de nuevo."),
        toolResponseUnusable: Message(
            heading: "El inicio de sesión se ha transmitido",
            text: "La respuesta del programa no se puede mostrar aquí. Vuelva a él para ver el resultado de su inicio "
                + "de sesión."))
}

extension ConsentPhrases {
    fileprivate static let spanish = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "¿Acaba de empezar usted este inicio de sesión?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Un programa en \(.host) pide a este navegador que inicie sesión en \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Continúe solo si acaba de empezar esto allí: "
            // safety: the people who control HOST get everything that you are about to allow
            + "quien controle \(.host) obtendrá lo que usted está a punto de permitir.",
        host: "Solicitado por el equipo",
        issuer: "Servicio de inicio de sesión",
        path: "Página de ese servicio",
        // safety: the name of the program is a claim of the far machine
        client: "Programa (client ID), según ese equipo",
        scope: "Acceso que pide",
        noScope: "no indicado",
        resource: "Acceso a este servicio",
        details: "Detalles de ese acceso",
        prompt: "Cómo debe preguntar ese servicio (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let spanish = LoopbackPhrases(
        signedIn: Message(
            heading: "Ha iniciado sesión",
            text: "Puede cerrar esta pestaña y volver a su aplicación."),
        failed: Message(
            heading: "No ha iniciado sesión",
            text: "Vuelva a su aplicación: le dirá por qué, y allí puede intentarlo de nuevo."),
        taken: Message(
            heading: "Este inicio de sesión ya ha terminado",
            text: "Ya se había completado o interrumpido. Puede cerrar esta pestaña y volver a su aplicación."),
        tooLate: Message(
            heading: "Ninguna aplicación espera este inicio de sesión",
            text: "Ha tardado demasiado o se ha cancelado. Empiece de nuevo desde su aplicación."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Su aplicación no ha empezado este inicio de sesión",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "No se ha hecho nada con él. No copie la dirección de esta página ni se la envíe a nadie, aunque se "
                + "lo pidan."),
        notHere: Message(
            heading: "No hay nada en esta dirección",
            text: "Una aplicación de este equipo espera un inicio de sesión en otra dirección."),
        notOwnUser: Message(
            heading: "Esta página es para otro usuario",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Una aplicación de este equipo espera al navegador de su propio usuario, y no es seguro que sea "
                + "este. No se ha hecho nada."))
}

extension DesktopPhrases {
    fileprivate static let spanish = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Una aplicación no puede iniciar su sesión",
            text: "El archivo con su configuración tiene un error y no se usa. `switchyard doctor --desktop` "
                + "dice qué archivo es."),
        noApp: Message(
            heading: "Este inicio de sesión no es de ninguna aplicación",
            text: "Ninguna aplicación de esta sesión tiene la dirección a la que se envió su navegador. "
                // safety: do not give the address to anybody
                + "No se la dé a nadie."),
        notAwaited: Message(
            heading: "Ninguna aplicación espera este inicio de sesión",
            text: "No lo empezó una aplicación de esta sesión, o esa aplicación ya no espera. "
                // safety: do not give the address of the page to anybody
                + "No dé a nadie la dirección de la página. "
                + "Para iniciar sesión, empiece de nuevo desde su aplicación."),
        used: Message(
            heading: "Este inicio de sesión ya se usó",
            text: "Vuelva a su aplicación. Si todavía espera, empiece de nuevo desde allí."),
        expired: Message(
            heading: "Este inicio de sesión tardó demasiado",
            text: "Empiece de nuevo desde su aplicación."),
        appIsGone: Message(
            heading: "No se puede acceder a su aplicación",
            text: "Ábrala e inicie sesión de nuevo desde allí."),
        outOfReach: Message(
            heading: "No se pudo entregar su inicio de sesión",
            text: "El programa que lo lleva a su aplicación no arranca. `switchyard doctor` dice por qué. "
                + "Después empiece de nuevo desde su aplicación."),
        keyringLocked: Message(
            heading: "Su inicio de sesión todavía no está guardado",
            text: "El almacén de claves está bloqueado. Desbloquéelo y el inicio de sesión se guardará solo. "
                + "Si no, tendrá que iniciar sesión de nuevo en la próxima sesión."),
        signInNeeded: Message(
            heading: "Un programa espera su inicio de sesión",
            text: "Quiere usar en su nombre el servidor indicado abajo. "
                // safety: sign in only if you expect it
                + "Solo si lo espera, abra la dirección en su navegador e inicie sesión."),
        notSaved: Message(
            heading: "Su inicio de sesión todavía no está guardado",
            text: "Algo lo impide, por ejemplo un disco lleno; quizá `switchyard doctor` diga qué. Después el "
                + "inicio de sesión se guardará solo. Si no, tendrá que iniciar sesión de nuevo en la "
                + "próxima sesión."))
}
