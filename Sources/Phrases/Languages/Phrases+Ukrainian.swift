internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let ukrainian = Phrases(
        signIn: .ukrainian, endings: .ukrainian, question: .ukrainian, facts: .ukrainian, frame: .ukrainian,
        notices: .ukrainian, refusals: .ukrainian, farMachine: .ukrainian, loopback: .ukrainian,
        desktop: .ukrainian)
}

extension SignInPhrases {
    fileprivate static let ukrainian = SignInPhrases(
        collected: Notice(
            heading: "Вхід виконано",
            explanation: "Застосунок \(.app) отримав дані про ваш вхід.",
            next: "Ви можете закрити цю вкладку й повернутися до застосунку \(.app)."),
        waitingForApp: Notice(
            heading: "Майже готово",
            explanation: "Ви успішно ввійшли, але застосунок \(.app) ще не забрав результат.",
            next: "Поверніться до застосунку \(.app) і перевірте, чи він досі працює. Ця вкладка йому більше не "
                + "потрібна."),
        redeeming: Notice(
            heading: "Завершення входу",
            explanation: "Ваш вхід до застосунку \(.app) завершується.",
            next: "Це триватиме кілька секунд."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Введіть цей код у програмі, яку ви запустили",
            explanation: "Ваш вхід до застосунку \(.app) продовжиться, щойно ця програма отримає код:",
            // safety: type it only into a program that you started yourself
            next: "Вводьте його лише в програмі, яку ви запустили самі: у застосунку, терміналі, власному агенті для "
                + "програмування. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Ніхто не проситиме у вас цей код: ні телефоном, ні електронною поштою, ні в повідомленні. Хто "
                + "просить, той хоче проникнути у ваш обліковий запис."),
        returning: Notice(
            heading: "Повернення до вашого застосунку",
            explanation: "Ви повертаєтеся до застосунку \(.app), який завершить вхід.",
            next: "Якщо нічого не відбувається, скористайтеся цим посиланням:"),
        openApp: "Повернутися до \(.app)",
        delivered: Notice(
            heading: "Продовжуйте у своєму застосунку",
            explanation: "Застосунок \(.app) отримав відповідь вашої служби входу.",
            next: "Ви можете закрити цю вкладку й повернутися до застосунку \(.app), який покаже, чи вдався вхід."),
        delivering: Notice(
            heading: "Зв’язок із вашим застосунком",
            explanation: "Відповідь вашої служби входу прямує до застосунку \(.app).",
            next: "Це триватиме кілька секунд або довше, якщо застосунок \(.app) має спершу запуститися."),
        undelivered: Notice(
            heading: "Не вдалося зв’язатися з вашим застосунком",
            explanation: "Застосунок \(.app) не прийняв відповідь вашої служби входу: він не запущений тут або не "
                + "відповідає.",
            next: "Відкрийте застосунок \(.app) і почніть вхід знову в ньому. Якщо це повториться, зверніться по "
                + "допомогу до тих, хто за нього відповідає."),
        passedOn: Notice(
            heading: "Продовжуйте у своєму застосунку",
            explanation: "Ваш браузер перенаправлено до застосунку \(.app) на цьому комп’ютері з відповіддю вашої "
                + "служби входу.",
            next: "Якщо натомість з’явилася помилка, застосунок \(.app) більше не чекає на цей вхід: почніть знову в "
                + "ньому."))
}

extension EndingPhrases {
    fileprivate static let ukrainian = EndingPhrases(
        heading: "Вхід не виконано",
        accessDenied: Ending(
            "У вході до застосунку \(.app) відмовлено: або вами, або правилом вашої організації.",
            "Щоб спробувати ще раз, закрийте цю вкладку й почніть у застосунку \(.app)."),
        canceled: Ending(
            "Вхід до застосунку \(.app) скасовано.",
            "Цю вкладку можна закрити. Якщо ви все ж хочете ввійти, почніть знову в застосунку \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "Вхід до застосунку \(.app) припинено, бо ви сказали, що це були не ви. Ніхто не отримав доступу.",
            // safety: if somebody sent you the link, tell your IT department
            "Цю вкладку можна закрити. Якщо хтось надіслав вам посилання, повідомте свій ІТ-відділ."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Введено забагато неправильних кодів, тому вхід до застосунку \(.app) припинено. Ніхто не отримав доступу.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Якщо це були ви, почніть знову в застосунку \(.app). Якщо ні, можливо, хтось інший намагався проникнути у "
                + "ваш обліковий запис: повідомте свій ІТ-відділ."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Код не введено вчасно, тому вхід до застосунку \(.app) припинено. Ніхто не отримав доступу.",
            "Закрийте цю вкладку й почніть знову в застосунку \(.app)."),
        codeNotTaken: Ending(
            "Код введено так пізно, що ваша служба входу більше не приймає вхід до застосунку \(.app).",
            "Почніть знову в застосунку \(.app) і введіть код, щойно його побачите."),
        declinedScopes: Ending(
            "Застосунок \(.app) не отримав усіх потрібних дозволів, тому вхід не завершено.",
            "Почніть знову в застосунку \(.app) і дозвольте те, про що він просить. Якщо не можете, зверніться до "
                + "свого ІТ-відділу."),
        expired: Ending(
            "Вхід до застосунку \(.app) тривав надто довго, і його час минув.",
            "Закрийте цю вкладку й почніть знову в застосунку \(.app)."),
        interactionRequired: Ending(
            "Вашій службі входу потрібен від вас ще один крок, перш ніж застосунок \(.app) зможе продовжити.",
            "Закрийте цю вкладку й почніть знову в застосунку \(.app)."),
        protectionPolicyRequired: Ending(
            "Ваша організація дозволяє застосунок \(.app) лише на пристроях або в застосунках, якими вона керує.",
            "Запитайте у свого ІТ-відділу, як виконати цю вимогу, а потім почніть знову в застосунку \(.app)."),
        issuerUnavailable: Ending(
            "Ваша служба входу має проблеми й не завершила вхід до застосунку \(.app).",
            "Зачекайте кілька хвилин, а потім почніть знову в застосунку \(.app)."),
        issuerRefused: Ending(
            "Ваша служба входу не прийняла запит застосунку \(.app).",
            "Почніть знову в застосунку \(.app). Якщо це повториться, зверніться по допомогу до тих, хто за нього "
                + "відповідає."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Відповідь вашої служби входу не вдалося перевірити, тому застосунок \(.app) її не отримав.",
            "Почніть знову в застосунку \(.app). Якщо це повториться, зверніться по допомогу до тих, хто за нього "
                + "відповідає."),
        internalError: Ending(
            "Тут сталася помилка, і вхід до застосунку \(.app) не завершено.",
            "Почніть знову в застосунку \(.app). Якщо це повториться, зверніться по допомогу до тих, хто за нього "
                + "відповідає."))
}

extension QuestionPhrases {
    fileprivate static let ukrainian = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Це ви почали цей вхід?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "Програма за адресою \(.address) просить вас увійти до застосунку \(.app). Ваш браузер має іншу "
            + "адресу.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Програма на сервері, який показує цю сторінку, просить вас увійти до застосунку \(.app). Ваш "
            + "браузер в іншому місці.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Програма просить вас увійти до застосунку \(.app). Невідомо, де ця програма.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Якщо ви не починали цього самі, не продовжуйте. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Якщо хтось надіслав вам це посилання, це атака: хтось хоче проникнути у ваш обліковий запис.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "Доступ, який ви дозволите, отримає оператор \(.host), а не програма.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Це не я",
        proceed: "Перейти до входу")
}

extension FactPhrases {
    fileprivate static let ukrainian = FactPhrases(
        askedFrom: "Запит надійшов з",
        thisMachine: "сервера, який показує цю сторінку",
        // safety: the place is not known
        unknownPlace: "невідомого місця",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "та сама адреса, що й у цього браузера",
        askedAt: "Час запиту",
        // safety: only the program says so
        hostClaim: "За словами програми, вона працює на",
        resource: "Доступ до",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "У відповіді сказано (ніхто цього не перевіряв)",
        reference: "Номер для довідки, якщо звертаєтеся по допомогу")
}

extension FramePhrases {
    fileprivate static let ukrainian = FramePhrases(
        updatesItself: "Ця сторінка сама покаже, коли щось зміниться.",
        reloadToUpdate: "Перезавантажте цю сторінку, щоб побачити, чи щось змінилося.",
        reload: "Перезавантажити",
        changed: "Щось змінилося: сторінка завантажується знову.",
        unreachable: "Ця служба зараз недоступна. Сторінка продовжує спроби.",
        stoppedLooking: "Ця сторінка більше не стежить за змінами сама. Перезавантажте її, щоб побачити, чи щось "
            + "змінилося.",
        help: "Довідка",
        privacy: "Конфіденційність")
}

extension NoticePhrases {
    fileprivate static let ukrainian = NoticePhrases(
        neutral: Notice(
            heading: "Тут немає що показувати",
            explanation: "Лише браузер, у якому виконано вхід, може бачити його результат.",
            next: "Якщо ви саме входили, поверніться до свого застосунку: він знає результат. Цю вкладку можна "
                + "закрити."),
        startedElsewhere: Notice(
            heading: "Цей вхід почато в іншому браузері",
            // safety: it can only be finished in the browser where it was started
            explanation: "Його можна завершити лише там, де його почато. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Те, що ваша служба входу надіслала цьому браузеру, більше не приймається, навіть там.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Якщо хтось надіслав вам посилання на цей вхід, це може бути атака: повідомте свій ІТ-відділ. Щоб "
                + "увійти самостійно, почніть у своєму застосунку."),
        sendingFragment: Notice(
            heading: "Завершення входу",
            explanation: "Відповідь вашої служби входу прямує до вашого застосунку.",
            next: "Це триватиме кілька секунд."),
        fragmentNeedsScript: Notice(
            heading: "Ваш вхід ще не завершено",
            explanation: "Цій сторінці потрібен скрипт, щоб передати відповідь вашої служби входу. Дозвольте скрипти "
                + "для цієї сторінки й перезавантажте її або почніть знову у своєму застосунку.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Не копіюйте адресу цієї сторінки й нікому її не надсилайте, навіть якщо вас про це просять."))
}

private let startAgain = "Закрийте цю вкладку й почніть знову у своєму застосунку."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Не копіюйте адресу цієї сторінки й нікому її не надсилайте, навіть якщо вас про це просять. Якщо ви хочете "
    + "ввійти, закрийте цю вкладку й почніть знову у своєму застосунку."

extension RefusalPhrases {
    fileprivate static let ukrainian = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Цей вхід почав не ваш застосунок",
            explanation: "Жоден застосунок на нього не чекає, тому з ним нічого не зроблено.",
            next: keepAddress),
        expired: Notice(
            heading: "Час цього входу минув",
            explanation: "Він тривав надто довго, і ваш застосунок більше на нього не чекає.",
            next: startAgain),
        ended: Notice(
            heading: "Цей вхід уже закінчено",
            explanation: "Його вже завершено або припинено, і його посилання не можна використати знову.",
            next: "Якщо ви досі хочете ввійти, закрийте цю вкладку й почніть знову у своєму застосунку."),
        wrongRedirectURI: Notice(
            heading: "Цей вхід надійшов на неправильну адресу",
            explanation: "Він належить іншому застосунку, тому з ним нічого не зроблено.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Ця відповідь надійшла не від тієї служби входу",
            explanation: "Вона не від служби, до якої звертався ваш застосунок, тому з нею нічого не зроблено.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Ця відповідь надійшла неправильним способом",
            explanation: "Ваш застосунок просив її в іншій формі, тому з нею нічого не зроблено.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Цю відповідь не вдалося перевірити",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Вона не доводить, що надійшла від вашої служби входу, тому з нею нічого не зроблено.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Цей вхід неможливо прочитати",
            explanation: "Частина відповіді трапилася двічі, тому з нею нічого не зроблено.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Цей вхід неповний",
            explanation: "У відповіді не сказано ні що вхід вдався, ні що він не вдався.",
            next: startAgain),
        malformed: Notice(
            heading: "Цей вхід неможливо прочитати",
            explanation: "Відповідь пошкоджена або суперечить сама собі, тому з нею нічого не зроблено.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Цей вхід почато в іншому браузері",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Його можна завершити лише там, де його почато, тому з ним нічого не зроблено.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Цей вхід уже використано",
            // safety: it came again with another code, which was not accepted
            explanation: "Він надійшов знову з іншим кодом, який не прийнято.",
            next: keepAddress),
        notFound: Notice(
            heading: "За цією адресою нічого немає",
            explanation: "Можливо, адресу введено з помилкою або вона застаріла.",
            next: "Якщо ви саме входили, закрийте цю вкладку й почніть знову у своєму застосунку."),
        wrongForm: Notice(
            heading: "Цей запит не прийнято",
            explanation: "Його надіслано у формі, якої ця адреса не приймає.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Цей запит завеликий",
            explanation: "Він довший за будь-який вхід, тому його не прочитано.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Забагато запитів",
            explanation: "З вашої мережі надійшло більше запитів, ніж можна зараз обробити.",
            next: "Зачекайте хвилину, а потім перезавантажте цю сторінку."),
        prefetch: Notice(
            heading: "Ще нічого не сталося",
            explanation: "Ваш браузер або інша сторінка завантажили цю адресу наперед, і це нікого не впускає.",
            next: "Перезавантажте цю сторінку, щоб продовжити."),
        unavailable: Notice(
            heading: "Вхід зараз недоступний",
            explanation: "Ця служба зараз не може відповісти.",
            next: "Зачекайте хвилину, а потім перезавантажте цю сторінку."))
}

extension FarMachinePhrases {
    fileprivate static let ukrainian = FarMachinePhrases(
        consent: .ukrainian,
        refused: Message(
            heading: "Нічого не відкрито",
            // safety: the program on the other machine gets nothing
            text: "Програма на іншому комп’ютері нічого не отримає. Цю вкладку можна закрити."),
        ended: Message(
            heading: "Цей вхід закінчено",
            text: "Він тривав надто довго, або його програми вже немає. Почніть знову в тій програмі."),
        alreadyDelivered: Message(
            heading: "Цей вхід уже передано",
            text: "Ви можете закрити цю вкладку й повернутися до своєї програми."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Ви не починали цього входу",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Нічого не передано. Нікому не давайте адресу цієї сторінки."),
        notHere: Message(
            heading: "Тут нічого немає",
            text: "Програма на іншому комп’ютері чекає на вхід за іншою адресою."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Ви цього не просили",
            // safety: a page asked in the background, and nothing was passed on
            text: "Про це у фоні попросила якась сторінка. Нічого не передано."),
        toolGone: Message(
            heading: "Програма більше не чекає",
            text: "Вона завершилася або перестала чекати, перш ніж вхід повернувся. Запустіть її знову."),
        toolResponseUnusable: Message(
            heading: "Вхід передано",
            text: "Відповідь програми неможливо показати тут. Поверніться до неї, щоб побачити результат входу."))
}

extension ConsentPhrases {
    fileprivate static let ukrainian = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Це ви щойно почали цей вхід?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "Програма на \(.host) просить цей браузер увійти на \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Продовжуйте, лише якщо ви щойно почали це там: "
            // safety: the people who control HOST get everything that you are about to allow
            + "хто контролює \(.host), той отримає те, що ви зараз дозволите.",
        host: "Просить комп’ютер",
        issuer: "Служба входу",
        path: "Сторінка цієї служби",
        // safety: the name of the program is a claim of the far machine
        client: "Програма (client ID), за словами того комп’ютера",
        scope: "Доступ, якого вона просить",
        noScope: "не вказано",
        resource: "Доступ до цієї служби",
        details: "Подробиці цього доступу",
        prompt: "Як ця служба має питати (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let ukrainian = LoopbackPhrases(
        signedIn: Message(
            heading: "Вхід виконано",
            text: "Ви можете закрити цю вкладку й повернутися до свого застосунку."),
        failed: Message(
            heading: "Вхід не виконано",
            text: "Поверніться до свого застосунку: він назве причину, і там можна спробувати ще раз."),
        taken: Message(
            heading: "Цей вхід уже закінчено",
            text: "Його вже завершено або припинено. Ви можете закрити цю вкладку й повернутися до свого застосунку."),
        tooLate: Message(
            heading: "Жоден застосунок не чекає на цей вхід",
            text: "Він тривав надто довго або його скасовано. Почніть знову у своєму застосунку."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Цей вхід почав не ваш застосунок",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "З ним нічого не зроблено. Не копіюйте адресу цієї сторінки й нікому її не надсилайте, навіть якщо "
                + "вас про це просять."),
        notHere: Message(
            heading: "За цією адресою нічого немає",
            text: "Застосунок на цьому комп’ютері чекає на вхід за іншою адресою."),
        notOwnUser: Message(
            heading: "Ця сторінка для іншого користувача",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Застосунок на цьому комп’ютері чекає на браузер свого користувача, і немає певності, що це саме "
                + "він. Нічого не зроблено."))
}

extension DesktopPhrases {
    fileprivate static let ukrainian = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Програма не може виконати ваш вхід",
            text: "Файл з її налаштуваннями містить помилку і не використовується. `switchyard doctor "
                + "--desktop` скаже, який це файл."),
        noApp: Message(
            heading: "Цей вхід не належить жодній програмі",
            text: "Жодна програма цього сеансу не має адреси, на яку перейшов ваш браузер. "
                // safety: do not give the address to anybody
                + "Не давайте її нікому."),
        notAwaited: Message(
            heading: "Жодна програма не чекає на цей вхід",
            text: "Його розпочала не програма цього сеансу, або ця програма вже не чекає. "
                // safety: do not give the address of the page to anybody
                + "Не давайте нікому адресу сторінки. "
                + "Щоб увійти, почніть знову у своїй програмі."),
        used: Message(
            heading: "Цей вхід уже використано",
            text: "Поверніться до своєї програми. Якщо вона ще чекає, почніть там знову."),
        expired: Message(
            heading: "Цей вхід тривав надто довго",
            text: "Почніть знову у своїй програмі."),
        appIsGone: Message(
            heading: "Ваша програма недоступна",
            text: "Запустіть її та ввійдіть у ній ще раз."),
        outOfReach: Message(
            heading: "Ваш вхід не вдалося передати",
            text: "Програма, яка передає його вашій програмі, не запускається. `switchyard doctor` скаже чому. "
                + "Потім почніть знову у своїй програмі."),
        keyringLocked: Message(
            heading: "Ваш вхід ще не збережено",
            text: "Сховище ключів заблоковано. Розблокуйте його, і вхід збережеться сам. Інакше в наступному "
                + "сеансі доведеться ввійти ще раз."),
        signInNeeded: Message(
            heading: "Програма чекає на ваш вхід",
            text: "Вона хоче від вашого імені користуватися сервером, вказаним нижче. "
                // safety: sign in only if you expect it
                + "Лише якщо ви цього очікуєте, відкрийте адресу у своєму браузері та увійдіть."),
        notSaved: Message(
            heading: "Ваш вхід ще не збережено",
            text: "Щось заважає, наприклад повний диск; можливо, `switchyard doctor` скаже що. Потім вхід "
                + "збережеться сам. Інакше в наступному сеансі доведеться ввійти ще раз."))
}
