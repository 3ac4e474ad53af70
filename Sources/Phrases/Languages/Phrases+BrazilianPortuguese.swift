internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let brazilianPortuguese = Phrases(
        signIn: .brazilianPortuguese, endings: .brazilianPortuguese, question: .brazilianPortuguese,
        facts: .brazilianPortuguese, frame: .brazilianPortuguese, notices: .brazilianPortuguese,
        refusals: .brazilianPortuguese, farMachine: .brazilianPortuguese, loopback: .brazilianPortuguese,
        desktop: .brazilianPortuguese)
}

extension SignInPhrases {
    fileprivate static let brazilianPortuguese = SignInPhrases(
        collected: Notice(
            heading: "Você fez login",
            explanation: "\(.app) recebeu seu login.",
            next: "Você pode fechar esta guia e voltar para \(.app)."),
        waitingForApp: Notice(
            heading: "Quase pronto",
            explanation: "Seu login deu certo, mas \(.app) ainda não o recebeu.",
            next: "Volte para \(.app) e verifique se o programa ainda está aberto. Ele não precisa de mais nada desta "
                + "guia."),
        redeeming: Notice(
            heading: "Concluindo seu login",
            explanation: "Seu login em \(.app) está sendo concluído.",
            next: "Isso leva alguns segundos."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Digite este código no programa que você iniciou",
            explanation: "Seu login em \(.app) continua assim que esse programa tiver este código:",
            // safety: type it only into a program that you started yourself
            next: "Digite-o somente no programa que foi iniciado por você: um app, um terminal, seu próprio agente de "
                + "programação. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Ninguém vai pedir esse código a você: nem por telefone, nem por e-mail, nem por mensagem. Quem "
                + "pedir quer entrar na sua conta."),
        returning: Notice(
            heading: "Voltando para seu app",
            explanation: "Você está voltando para \(.app), que vai concluir o login.",
            next: "Se nada acontecer, use este link:"),
        openApp: "Voltar para \(.app)",
        delivered: Notice(
            heading: "Continue no seu app",
            explanation: "\(.app) recebeu a resposta do seu serviço de login.",
            next: "Você pode fechar esta guia e voltar para \(.app), que mostra se o login deu certo."),
        delivering: Notice(
            heading: "Entrando em contato com seu app",
            explanation: "A resposta do seu serviço de login está a caminho de \(.app).",
            next: "Isso leva alguns segundos, ou mais se \(.app) precisar iniciar primeiro."),
        undelivered: Notice(
            heading: "Não foi possível alcançar seu app",
            explanation: "\(.app) não recebeu a resposta do seu serviço de login: não está aberto aqui ou não "
                + "responde.",
            next: "Abra \(.app) e comece o login de novo por lá. Se isso acontecer outra vez, peça ajuda a quem cuida "
                + "desse app."),
        passedOn: Notice(
            heading: "Continue no seu app",
            explanation: "Seu navegador foi encaminhado para \(.app) neste computador, com a resposta do seu serviço "
                + "de login.",
            next: "Se ele mostrou um erro, \(.app) não está mais esperando este login: comece de novo por lá."))
}

extension EndingPhrases {
    fileprivate static let brazilianPortuguese = EndingPhrases(
        heading: "Você não fez login",
        accessDenied: Ending(
            "O login em \(.app) foi recusado, por você ou por uma regra da sua organização.",
            "Para tentar de novo, feche esta guia e comece por \(.app)."),
        canceled: Ending(
            "O login em \(.app) foi cancelado.",
            "Você pode fechar esta guia. Se ainda quiser fazer login, comece de novo por \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "O login em \(.app) foi encerrado porque você disse que não foi você. Ninguém obteve acesso.",
            // safety: if somebody sent you the link, tell your IT department
            "Você pode fechar esta guia. Se alguém enviou o link a você, avise seu departamento de TI."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Foram digitados códigos errados demais, por isso o login em \(.app) foi encerrado. Ninguém obteve acesso.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Se foi você, comece de novo por \(.app). Se não, outra pessoa pode ter tentado entrar na sua conta: avise "
                + "seu departamento de TI."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "O código não foi digitado a tempo, por isso o login em \(.app) foi encerrado. Ninguém obteve acesso.",
            "Feche esta guia e comece de novo por \(.app)."),
        codeNotTaken: Ending(
            "O código foi digitado tão tarde que seu serviço de login não aceita mais o login em \(.app).",
            "Comece de novo por \(.app) e digite o código assim que o vir."),
        declinedScopes: Ending(
            "\(.app) não recebeu todas as permissões de que precisa, por isso o login não foi concluído.",
            "Comece de novo por \(.app) e permita o que for pedido. Se você não puder, fale com seu departamento de "
                + "TI."),
        expired: Ending(
            "O login em \(.app) demorou demais e expirou.",
            "Feche esta guia e comece de novo por \(.app)."),
        interactionRequired: Ending(
            "Seu serviço de login precisa de mais uma etapa sua antes que \(.app) possa continuar.",
            "Feche esta guia e comece de novo por \(.app)."),
        protectionPolicyRequired: Ending(
            "Sua organização só permite \(.app) em dispositivos ou apps que ela gerencia.",
            "Pergunte ao seu departamento de TI como cumprir esse requisito e comece de novo por \(.app)."),
        issuerUnavailable: Ending(
            "Seu serviço de login está com problemas e não concluiu o login em \(.app).",
            "Espere alguns minutos e comece de novo por \(.app)."),
        issuerRefused: Ending(
            "Seu serviço de login não aceitou a solicitação de \(.app).",
            "Comece de novo por \(.app). Se isso acontecer outra vez, peça ajuda a quem cuida desse app."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Não foi possível verificar a resposta do seu serviço de login, por isso \(.app) não a recebeu.",
            "Comece de novo por \(.app). Se isso acontecer outra vez, peça ajuda a quem cuida desse app."),
        internalError: Ending(
            "Algo deu errado aqui e o login em \(.app) não foi concluído.",
            "Comece de novo por \(.app). Se isso acontecer outra vez, peça ajuda a quem cuida desse app."))
}

extension QuestionPhrases {
    fileprivate static let brazilianPortuguese = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Foi você que iniciou este login?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Um programa no endereço \(.address) está pedindo que você faça login em \(.app). Seu navegador "
            + "está em outro endereço.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Um programa no servidor que mostra esta página está pedindo que você faça login em \(.app). "
            + "Seu navegador está em outro lugar.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Um programa está pedindo que você faça login em \(.app). Não se sabe onde esse programa está.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Se não foi você que iniciou isto, não continue. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Se alguém enviou este link a você, é um ataque: querem entrar na sua conta.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "Quem recebe o acesso que você permitir é o operador de \(.host), não o programa.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Não fui eu",
        proceed: "Continuar para o login")
}

extension FactPhrases {
    fileprivate static let brazilianPortuguese = FactPhrases(
        askedFrom: "Origem do pedido",
        thisMachine: "o servidor que mostra esta página",
        // safety: the place is not known
        unknownPlace: "um lugar desconhecido",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "o mesmo endereço deste navegador",
        askedAt: "Hora do pedido",
        // safety: only the program says so
        hostClaim: "O programa diz que é executado em",
        resource: "Acesso a",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "A resposta diz (ninguém verificou isso)",
        reference: "Referência, se você pedir ajuda")
}

extension FramePhrases {
    fileprivate static let brazilianPortuguese = FramePhrases(
        updatesItself: "Esta página mostra sozinha quando algo muda.",
        reloadToUpdate: "Recarregue esta página para ver se algo mudou.",
        reload: "Recarregar",
        changed: "Algo mudou: a página está sendo recarregada.",
        unreachable: "Não é possível acessar este serviço no momento. A página continua tentando.",
        stoppedLooking: "Esta página não procura mais mudanças sozinha. Recarregue-a para ver se algo mudou.",
        help: "Ajuda",
        privacy: "Privacidade")
}

extension NoticePhrases {
    fileprivate static let brazilianPortuguese = NoticePhrases(
        neutral: Notice(
            heading: "Não há nada para mostrar aqui",
            explanation: "Só o navegador que fez o login pode ver o resultado dele.",
            next: "Se você estava fazendo login, volte para seu app: ele sabe o resultado. Você pode fechar esta "
                + "guia."),
        startedElsewhere: Notice(
            heading: "Este login foi iniciado em outro navegador",
            // safety: it can only be finished in the browser where it was started
            explanation: "Ele só pode ser concluído onde foi iniciado. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "O que seu serviço de login enviou a este navegador não é mais aceito, nem mesmo lá.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Se alguém enviou a você o link deste login, pode ser um ataque: avise seu departamento de TI. Para "
                + "fazer seu próprio login, comece pelo seu app."),
        sendingFragment: Notice(
            heading: "Concluindo seu login",
            explanation: "A resposta do seu serviço de login está a caminho do seu app.",
            next: "Isso leva alguns segundos."),
        fragmentNeedsScript: Notice(
            heading: "Seu login ainda não foi concluído",
            explanation: "Esta página precisa de um script para transmitir a resposta do seu serviço de login. Permita "
                + "scripts nesta página e recarregue-a, ou comece de novo pelo seu app.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Não copie o endereço desta página nem o envie a ninguém, mesmo que peçam."))
}

private let startAgain = "Feche esta guia e comece de novo pelo seu app."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Não copie o endereço desta página nem o envie a ninguém, mesmo que peçam. Se quiser fazer login, feche esta guia "
    + "e comece de novo pelo seu app."

extension RefusalPhrases {
    fileprivate static let brazilianPortuguese = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Este login não foi iniciado pelo seu app",
            explanation: "Nenhum app está esperando por ele, por isso nada foi feito com ele.",
            next: keepAddress),
        expired: Notice(
            heading: "Este login expirou",
            explanation: "Ele demorou demais, e seu app não está mais esperando por ele.",
            next: startAgain),
        ended: Notice(
            heading: "Este login já terminou",
            explanation: "Ele já foi concluído ou encerrado, e o link dele não pode ser usado de novo.",
            next: "Se você ainda quiser fazer login, feche esta guia e comece de novo pelo seu app."),
        wrongRedirectURI: Notice(
            heading: "Este login chegou ao endereço errado",
            explanation: "Ele pertence a outro app, por isso nada foi feito com ele.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Esta resposta veio do serviço de login errado",
            explanation: "Ela não é do serviço que seu app consultou, por isso nada foi feito com ela.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Esta resposta chegou da forma errada",
            explanation: "Seu app a pediu em outra forma, por isso nada foi feito com ela.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Não foi possível verificar esta resposta",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Ela não prova que veio do seu serviço de login, por isso nada foi feito com ela.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Não foi possível ler este login",
            explanation: "Parte da resposta apareceu duas vezes, por isso nada foi feito com ela.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Este login está incompleto",
            explanation: "A resposta não diz nem que o login deu certo nem que falhou.",
            next: startAgain),
        malformed: Notice(
            heading: "Não foi possível ler este login",
            explanation: "A resposta está danificada ou se contradiz, por isso nada foi feito com ela.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Este login foi iniciado em outro navegador",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Ele só pode ser concluído onde foi iniciado, por isso nada foi feito com ele.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Este login já foi usado",
            // safety: it came again with another code, which was not accepted
            explanation: "Ele chegou de novo com outro código, que não foi aceito.",
            next: keepAddress),
        notFound: Notice(
            heading: "Não há nada neste endereço",
            explanation: "O endereço pode estar escrito errado ou desatualizado.",
            next: "Se você estava fazendo login, feche esta guia e comece de novo pelo seu app."),
        wrongForm: Notice(
            heading: "Esta solicitação não foi aceita",
            explanation: "Ela foi enviada em uma forma que este endereço não aceita.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Esta solicitação é grande demais",
            explanation: "Ela é mais longa do que qualquer login, por isso não foi lida.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Solicitações demais",
            explanation: "Chegaram da sua rede mais solicitações do que é possível responder agora.",
            next: "Espere um minuto e recarregue esta página."),
        prefetch: Notice(
            heading: "Nada aconteceu ainda",
            explanation: "Seu navegador ou outra página carregou este endereço com antecedência, e isso não faz o "
                + "login de ninguém.",
            next: "Recarregue esta página para continuar."),
        unavailable: Notice(
            heading: "O login não está disponível agora",
            explanation: "Este serviço não pode responder no momento.",
            next: "Espere um minuto e recarregue esta página."))
}

extension FarMachinePhrases {
    fileprivate static let brazilianPortuguese = FarMachinePhrases(
        consent: .brazilianPortuguese,
        refused: Message(
            heading: "Nada foi aberto",
            // safety: the program on the other machine gets nothing
            text: "O programa na outra máquina não recebe nada. Você pode fechar esta guia."),
        ended: Message(
            heading: "Este login terminou",
            text: "Ele demorou demais, ou o programa dele não existe mais. Comece de novo nesse programa."),
        alreadyDelivered: Message(
            heading: "Este login já foi transmitido",
            text: "Você pode fechar esta guia e voltar para seu programa."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Você não iniciou este login",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Nada foi transmitido. Não dê o endereço desta página a ninguém."),
        notHere: Message(
            heading: "Não há nada aqui",
            text: "Um programa em outra máquina está esperando um login em outro endereço."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Você não pediu isto",
            // safety: a page asked in the background, and nothing was passed on
            text: "Uma página pediu isto em segundo plano. Nada foi transmitido."),
        toolGone: Message(
            heading: "O programa não está mais esperando",
            text: "Ele terminou ou parou de esperar antes que o login voltasse. Inicie-o de novo."),
        toolResponseUnusable: Message(
            heading: "O login foi transmitido",
            text: "A resposta do programa não pode ser mostrada aqui. Volte para ele para ver o resultado do seu "
                + "login."))
}

extension ConsentPhrases {
    fileprivate static let brazilianPortuguese = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Você acabou de iniciar este login?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Um programa em \(.host) está pedindo que este navegador faça login em \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Continue somente se você acabou de iniciar isto lá: "
            // safety: the people who control HOST get everything that you are about to allow
            + "quem controla \(.host) recebe o que você está prestes a permitir.",
        host: "Pedido pela máquina",
        issuer: "Serviço de login",
        path: "Página desse serviço",
        // safety: the name of the program is a claim of the far machine
        client: "Programa (client ID), segundo essa máquina",
        scope: "Acesso pedido",
        noScope: "não informado",
        resource: "Acesso a este serviço",
        details: "Detalhes desse acesso",
        prompt: "Como esse serviço deve perguntar (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let brazilianPortuguese = LoopbackPhrases(
        signedIn: Message(
            heading: "Você fez login",
            text: "Você pode fechar esta guia e voltar para seu app."),
        failed: Message(
            heading: "Você não fez login",
            text: "Volte para seu app: ele diz por quê, e você pode tentar de novo por lá."),
        taken: Message(
            heading: "Este login já terminou",
            text: "Ele já foi concluído ou encerrado. Você pode fechar esta guia e voltar para seu app."),
        tooLate: Message(
            heading: "Nenhum app está esperando por este login",
            text: "Ele demorou demais ou foi cancelado. Comece de novo pelo seu app."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Este login não foi iniciado pelo seu app",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Nada foi feito com ele. Não copie o endereço desta página nem o envie a ninguém, mesmo que peçam."),
        notHere: Message(
            heading: "Não há nada neste endereço",
            text: "Um app neste computador está esperando um login em outro endereço."),
        notOwnUser: Message(
            heading: "Esta página é para outro usuário",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Um app neste computador está esperando o navegador do próprio usuário, e não é certo que seja este. "
                + "Nada foi feito."))
}

extension DesktopPhrases {
    fileprivate static let brazilianPortuguese = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Um aplicativo não consegue conectar você",
            text: "O arquivo com as configurações dele tem um erro e não é usado. `switchyard doctor "
                + "--desktop` diz qual é o arquivo."),
        noApp: Message(
            heading: "Este login não pertence a nenhum aplicativo",
            text: "Nenhum aplicativo desta sessão tem o endereço para o qual seu navegador foi enviado. "
                // safety: do not give the address to anybody
                + "Não o dê a ninguém."),
        notAwaited: Message(
            heading: "Nenhum aplicativo espera este login",
            text: "Ele não foi iniciado por um aplicativo desta sessão, ou esse aplicativo não espera mais. "
                // safety: do not give the address of the page to anybody
                + "Não dê o endereço da página a ninguém. "
                + "Para entrar, comece de novo no seu aplicativo."),
        used: Message(
            heading: "Este login já foi usado",
            text: "Volte ao seu aplicativo. Se ele ainda espera, comece de novo por lá."),
        expired: Message(
            heading: "Este login demorou demais",
            text: "Comece de novo no seu aplicativo."),
        appIsGone: Message(
            heading: "Não é possível acessar seu aplicativo",
            text: "Abra-o e entre de novo por lá."),
        outOfReach: Message(
            heading: "Não foi possível entregar seu login",
            text: "O programa que o leva ao seu aplicativo não inicia. `switchyard doctor` diz por quê. "
                + "Depois, comece de novo no seu aplicativo."),
        keyringLocked: Message(
            heading: "Seu login ainda não foi salvo",
            text: "O chaveiro está bloqueado. Desbloqueie-o, e o login será salvo sozinho. Senão, você terá de "
                + "entrar de novo na próxima sessão."),
        signInNeeded: Message(
            heading: "Um programa aguarda seu login",
            text: "Ele quer usar em seu nome o servidor indicado abaixo. "
                // safety: sign in only if you expect it
                + "Somente se você espera isso, abra o endereço no seu navegador e faça login."),
        notSaved: Message(
            heading: "Seu login ainda não foi salvo",
            text: "Algo impede isso, como um disco cheio; talvez `switchyard doctor` diga o quê. Depois disso, "
                + "o login será salvo sozinho. Senão, você terá de entrar de novo na próxima sessão."))
}
