internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let arabic = Phrases(
        signIn: .arabic, endings: .arabic, question: .arabic, facts: .arabic, frame: .arabic, notices: .arabic,
        refusals: .arabic, farMachine: .arabic, loopback: .arabic,
        desktop: .arabic)
}

extension SignInPhrases {
    fileprivate static let arabic = SignInPhrases(
        collected: Notice(
            heading: "تم تسجيل دخولك",
            explanation: "استلم تطبيق \(.app) تسجيل دخولك.",
            next: "يمكنك إغلاق علامة التبويب هذه والعودة إلى تطبيق \(.app)."),
        waitingForApp: Notice(
            heading: "اقتربنا من الانتهاء",
            explanation: "نجح تسجيل دخولك، لكن تطبيق \(.app) لم يستلمه بعد.",
            next: "ارجع إلى تطبيق \(.app) وتحقق من أنه ما زال يعمل. لم يعد يحتاج إلى علامة التبويب هذه."),
        redeeming: Notice(
            heading: "جارٍ إكمال تسجيل دخولك",
            explanation: "جارٍ إكمال تسجيل دخولك إلى تطبيق \(.app).",
            next: "يستغرق هذا بضع ثوانٍ."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "اكتب هذا الرمز في البرنامج الذي شغّلته",
            explanation: "سيستمر تسجيل دخولك إلى تطبيق \(.app) بمجرد أن يحصل ذلك البرنامج على هذا الرمز:",
            // safety: type it only into a program that you started yourself
            next: "لا تكتبه إلا في البرنامج الذي شغّلته بنفسك: تطبيق أو نافذة أوامر أو وكيل البرمجة الخاص بك. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "لن يطلبه منك أحد: لا في مكالمة ولا في بريد إلكتروني ولا في رسالة. ومن يطلبه يريد الدخول إلى حسابك."),
        returning: Notice(
            heading: "العودة إلى تطبيقك",
            explanation: "أنت عائد إلى تطبيق \(.app)، وهو يكمل تسجيل الدخول.",
            next: "إذا لم يحدث شيء، فاستخدم هذا الرابط:"),
        openApp: "العودة إلى \(.app)",
        delivered: Notice(
            heading: "تابع في تطبيقك",
            explanation: "استلم تطبيق \(.app) ردّ خدمة تسجيل الدخول.",
            next: "يمكنك إغلاق علامة التبويب هذه والعودة إلى تطبيق \(.app)، حيث ترى نتيجة تسجيل دخولك."),
        delivering: Notice(
            heading: "جارٍ الاتصال بتطبيقك",
            explanation: "ردّ خدمة تسجيل الدخول في طريقه إلى تطبيق \(.app).",
            next: "يستغرق هذا بضع ثوانٍ، أو أكثر إذا كان على تطبيق \(.app) أن يبدأ أولاً."),
        undelivered: Notice(
            heading: "تعذّر الوصول إلى تطبيقك",
            explanation: "لم يستلم تطبيق \(.app) ردّ خدمة تسجيل الدخول: فهو لا يعمل هنا أو لا يستجيب.",
            next: "افتح تطبيق \(.app) وابدأ تسجيل الدخول من جديد هناك. إذا تكرر هذا، فاطلب المساعدة من المسؤول عن "
                + "التطبيق."),
        passedOn: Notice(
            heading: "تابع في تطبيقك",
            explanation: "نُقل متصفحك إلى تطبيق \(.app) على هذا الحاسوب، ومعه ردّ خدمة تسجيل الدخول.",
            next: "إذا عرض خطأً بدلاً من ذلك، فإن تطبيق \(.app) لم يعد ينتظر تسجيل الدخول هذا: ابدأ من جديد من هناك."))
}

extension EndingPhrases {
    fileprivate static let arabic = EndingPhrases(
        heading: "لم يتم تسجيل دخولك",
        accessDenied: Ending(
            "رُفض تسجيل الدخول إلى تطبيق \(.app)، إما منك وإما بقاعدة من قواعد مؤسستك.",
            "للمحاولة من جديد، أغلق علامة التبويب هذه وابدأ من تطبيق \(.app)."),
        canceled: Ending(
            "أُلغي تسجيل الدخول إلى تطبيق \(.app).",
            "يمكنك إغلاق علامة التبويب هذه. إذا أردت تسجيل الدخول رغم ذلك، فابدأ من جديد من تطبيق \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "أُنهي تسجيل الدخول إلى تطبيق \(.app) لأنك قلت إنك لم تبدأه. لم يحصل أحد على إمكانية الوصول.",
            // safety: if somebody sent you the link, tell your IT department
            "يمكنك إغلاق علامة التبويب هذه. إذا أرسل إليك شخص ما الرابط، فأبلغ قسم تقنية المعلومات لديك."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "كُتبت رموز خاطئة أكثر من اللازم، ولذلك أُنهي تسجيل الدخول إلى تطبيق \(.app). لم يحصل أحد على إمكانية "
                + "الوصول.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "إذا كنت أنت، فابدأ من جديد من تطبيق \(.app). وإذا لم تكن أنت، فربما حاول شخص آخر الدخول إلى حسابك: أبلغ "
                + "قسم تقنية المعلومات لديك."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "لم يُكتب الرمز في الوقت المناسب، ولذلك أُنهي تسجيل الدخول إلى تطبيق \(.app). لم يحصل أحد على إمكانية "
                + "الوصول.",
            "أغلق علامة التبويب هذه وابدأ من جديد من تطبيق \(.app)."),
        codeNotTaken: Ending(
            "كُتب الرمز متأخرًا جدًا، فلم تعد خدمة تسجيل الدخول تقبل تسجيل الدخول إلى تطبيق \(.app).",
            "ابدأ من جديد من تطبيق \(.app)، واكتب الرمز بمجرد أن تراه."),
        declinedScopes: Ending(
            "لم يُسمح لتطبيق \(.app) بكل ما يحتاج إليه، ولذلك لم يكتمل تسجيل الدخول.",
            "ابدأ من جديد من تطبيق \(.app) واسمح بما يطلبه. إذا لم تستطع، فاسأل قسم تقنية المعلومات لديك."),
        expired: Ending(
            "استغرق تسجيل الدخول إلى تطبيق \(.app) وقتًا طويلاً وانتهت صلاحيته.",
            "أغلق علامة التبويب هذه وابدأ من جديد من تطبيق \(.app)."),
        interactionRequired: Ending(
            "تحتاج خدمة تسجيل الدخول إلى خطوة أخرى منك قبل أن يتمكن تطبيق \(.app) من المتابعة.",
            "أغلق علامة التبويب هذه وابدأ من جديد من تطبيق \(.app)."),
        protectionPolicyRequired: Ending(
            "لا تسمح مؤسستك بتطبيق \(.app) إلا على الأجهزة أو في التطبيقات التي تديرها.",
            "اسأل قسم تقنية المعلومات لديك عن كيفية استيفاء هذا الشرط، ثم ابدأ من جديد من تطبيق \(.app)."),
        issuerUnavailable: Ending(
            "تواجه خدمة تسجيل الدخول مشكلة ولم تكمل تسجيل الدخول إلى تطبيق \(.app).",
            "انتظر بضع دقائق، ثم ابدأ من جديد من تطبيق \(.app)."),
        issuerRefused: Ending(
            "لم تقبل خدمة تسجيل الدخول طلب تطبيق \(.app).",
            "ابدأ من جديد من تطبيق \(.app). إذا تكرر هذا، فاطلب المساعدة من المسؤول عن التطبيق."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "تعذّر التحقق من ردّ خدمة تسجيل الدخول، ولذلك لم يستلمه تطبيق \(.app).",
            "ابدأ من جديد من تطبيق \(.app). إذا تكرر هذا، فاطلب المساعدة من المسؤول عن التطبيق."),
        internalError: Ending(
            "حدث خطأ هنا، ولم يكتمل تسجيل الدخول إلى تطبيق \(.app).",
            "ابدأ من جديد من تطبيق \(.app). إذا تكرر هذا، فاطلب المساعدة من المسؤول عن التطبيق."))
}

extension QuestionPhrases {
    fileprivate static let arabic = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "هل بدأت أنت تسجيل الدخول هذا؟",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "برنامج على العنوان \(.address) يطلب منك تسجيل الدخول إلى تطبيق \(.app). متصفحك على عنوان آخر.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "برنامج على الخادم الذي يعرض هذه الصفحة يطلب منك تسجيل الدخول إلى تطبيق \(.app). متصفحك في مكان "
            + "آخر.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "برنامج يطلب منك تسجيل الدخول إلى تطبيق \(.app). ولا يُعرف أين يوجد هذا البرنامج.",
        // safety: if you did not begin this yourself, do not continue
        warning: "إذا لم تبدأ هذا بنفسك، فلا تتابع. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "وإذا أرسل إليك شخص ما هذا الرابط، فهذا هجوم: إنهم يريدون الدخول إلى حسابك.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "الجهة المشغّلة لـ \(.host)، لا البرنامج، هي التي تحصل على الوصول الذي تسمح به.",
        // safety: the button says that somebody else began this sign-in
        notMe: "لم أكن أنا",
        proceed: "متابعة تسجيل الدخول")
}

extension FactPhrases {
    fileprivate static let arabic = FactPhrases(
        askedFrom: "مصدر الطلب",
        thisMachine: "الخادم الذي يعرض هذه الصفحة",
        // safety: the place is not known
        unknownPlace: "مكان غير معروف",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "العنوان نفسه الذي لهذا المتصفح",
        askedAt: "وقت الطلب",
        // safety: only the program says so
        hostClaim: "يقول البرنامج إنه يعمل على",
        resource: "الوصول إلى",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "يقول الردّ (لم يتحقق أحد من ذلك)",
        reference: "الرقم المرجعي، إذا طلبت المساعدة")
}

extension FramePhrases {
    fileprivate static let arabic = FramePhrases(
        updatesItself: "تُظهر هذه الصفحة من تلقاء نفسها عندما يتغيّر شيء.",
        reloadToUpdate: "أعد تحميل هذه الصفحة لترى هل تغيّر شيء.",
        reload: "إعادة التحميل",
        changed: "تغيّر شيء: جارٍ تحميل الصفحة من جديد.",
        unreachable: "لا يمكن الوصول إلى هذه الخدمة في الوقت الحالي. تستمر الصفحة في المحاولة.",
        stoppedLooking: "لم تعد هذه الصفحة تبحث عن التغييرات من تلقاء نفسها. أعد تحميلها لترى هل تغيّر شيء.",
        help: "المساعدة",
        privacy: "الخصوصية")
}

extension NoticePhrases {
    fileprivate static let arabic = NoticePhrases(
        neutral: Notice(
            heading: "لا شيء لعرضه هنا",
            explanation: "المتصفح الذي سُجّل الدخول فيه هو وحده الذي يمكنه رؤية النتيجة.",
            next: "إذا كنت تسجّل دخولك، فارجع إلى تطبيقك: فهو يعرف النتيجة. يمكنك إغلاق علامة التبويب هذه."),
        startedElsewhere: Notice(
            heading: "بدأ تسجيل الدخول هذا في متصفح آخر",
            // safety: it can only be finished in the browser where it was started
            explanation: "لا يمكن إكماله إلا حيث بدأ. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "وما أرسلته خدمة تسجيل الدخول إلى هذا المتصفح لم يعد مقبولاً، حتى هناك.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "إذا أرسل إليك شخص ما رابط تسجيل الدخول هذا، فقد يكون هجومًا: أبلغ قسم تقنية المعلومات لديك. ولتسجيل "
                + "دخولك بنفسك، ابدأ من تطبيقك."),
        sendingFragment: Notice(
            heading: "جارٍ إكمال تسجيل دخولك",
            explanation: "ردّ خدمة تسجيل الدخول في طريقه إلى تطبيقك.",
            next: "يستغرق هذا بضع ثوانٍ."),
        fragmentNeedsScript: Notice(
            heading: "لم يكتمل تسجيل دخولك بعد",
            explanation: "تحتاج هذه الصفحة إلى نص برمجي لتمرير ردّ خدمة تسجيل الدخول. اسمح بالنصوص البرمجية لهذه "
                + "الصفحة وأعد تحميلها، أو ابدأ من جديد من تطبيقك.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "لا تنسخ عنوان هذه الصفحة ولا ترسله إلى أي شخص، حتى إذا طُلب منك ذلك."))
}

private let startAgain = "أغلق علامة التبويب هذه وابدأ من جديد من تطبيقك."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "لا تنسخ عنوان هذه الصفحة ولا ترسله إلى أي شخص، حتى إذا طُلب منك ذلك. إذا أردت تسجيل الدخول، فأغلق علامة التبويب "
    + "هذه وابدأ من جديد من تطبيقك."

extension RefusalPhrases {
    fileprivate static let arabic = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "لم يبدأ تطبيقك تسجيل الدخول هذا",
            explanation: "لا ينتظره أي تطبيق، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        expired: Notice(
            heading: "انتهت صلاحية تسجيل الدخول هذا",
            explanation: "استغرق وقتًا طويلاً، ولم يعد تطبيقك ينتظره.",
            next: startAgain),
        ended: Notice(
            heading: "انتهى تسجيل الدخول هذا",
            explanation: "اكتمل أو أُنهي من قبل، ولا يمكن استخدام رابطه مرة أخرى.",
            next: "إذا كنت لا تزال تريد تسجيل الدخول، فأغلق علامة التبويب هذه وابدأ من جديد من تطبيقك."),
        wrongRedirectURI: Notice(
            heading: "وصل تسجيل الدخول هذا إلى عنوان خاطئ",
            explanation: "إنه يخص تطبيقًا آخر، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "جاء هذا الردّ من خدمة تسجيل دخول خاطئة",
            explanation: "ليس من الخدمة التي سألها تطبيقك، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "جاء هذا الردّ بطريقة خاطئة",
            explanation: "طلبه تطبيقك بشكل آخر، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "تعذّر التحقق من هذا الردّ",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "لا يثبت أنه من خدمة تسجيل الدخول الخاصة بك، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "تعذّرت قراءة تسجيل الدخول هذا",
            explanation: "ظهر جزء من الردّ مرتين، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        missingCode: Notice(
            heading: "تسجيل الدخول هذا غير مكتمل",
            explanation: "لا يقول الردّ إن تسجيل الدخول نجح ولا إنه فشل.",
            next: startAgain),
        malformed: Notice(
            heading: "تعذّرت قراءة تسجيل الدخول هذا",
            explanation: "الردّ تالف أو يناقض نفسه، ولذلك لم يُفعل به شيء.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "بدأ تسجيل الدخول هذا في متصفح آخر",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "لا يمكن إكماله إلا حيث بدأ، ولذلك لم يُفعل به شيء.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "استُخدم تسجيل الدخول هذا من قبل",
            // safety: it came again with another code, which was not accepted
            explanation: "وصل مرة أخرى برمز آخر لم يُقبل.",
            next: keepAddress),
        notFound: Notice(
            heading: "لا يوجد شيء على هذا العنوان",
            explanation: "قد يكون العنوان مكتوبًا خطأً أو قديمًا.",
            next: "إذا كنت تسجّل دخولك، فأغلق علامة التبويب هذه وابدأ من جديد من تطبيقك."),
        wrongForm: Notice(
            heading: "لم يُقبل هذا الطلب",
            explanation: "أُرسل بشكل لا يقبله هذا العنوان.",
            next: startAgain),
        tooLarge: Notice(
            heading: "هذا الطلب كبير جدًا",
            explanation: "إنه أطول من أي تسجيل دخول، ولذلك لم يُقرأ.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "طلبات كثيرة جدًا",
            explanation: "جاءت من شبكتك طلبات أكثر مما يمكن الردّ عليه الآن.",
            next: "انتظر دقيقة، ثم أعد تحميل هذه الصفحة."),
        prefetch: Notice(
            heading: "لم يحدث شيء بعد",
            explanation: "حمّل متصفحك أو صفحة أخرى هذا العنوان مسبقًا، وهذا لا يسجّل دخول أحد.",
            next: "أعد تحميل هذه الصفحة للمتابعة."),
        unavailable: Notice(
            heading: "تسجيل الدخول غير متاح الآن",
            explanation: "لا تستطيع هذه الخدمة الردّ في الوقت الحالي.",
            next: "انتظر دقيقة، ثم أعد تحميل هذه الصفحة."))
}

extension FarMachinePhrases {
    fileprivate static let arabic = FarMachinePhrases(
        consent: .arabic,
        refused: Message(
            heading: "لم يُفتح شيء",
            // safety: the program on the other machine gets nothing
            text: "لا يحصل البرنامج على الجهاز الآخر على شيء. يمكنك إغلاق علامة التبويب هذه."),
        ended: Message(
            heading: "انتهى تسجيل الدخول هذا",
            text: "استغرق وقتًا طويلاً، أو لم يعد برنامجه موجودًا. ابدأ من جديد في ذلك البرنامج."),
        alreadyDelivered: Message(
            heading: "سبق تمرير تسجيل الدخول هذا",
            text: "يمكنك إغلاق علامة التبويب هذه والعودة إلى برنامجك."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "لم تبدأ أنت تسجيل الدخول هذا",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "لم يُمرَّر شيء. لا تعطِ عنوان هذه الصفحة لأي شخص."),
        notHere: Message(
            heading: "لا يوجد شيء هنا",
            text: "برنامج على جهاز آخر ينتظر تسجيل دخول على عنوان آخر."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "لم تطلب أنت هذا",
            // safety: a page asked in the background, and nothing was passed on
            text: "طلبته صفحة في الخلفية. لم يُمرَّر شيء."),
        toolGone: Message(
            heading: "لم يعد البرنامج ينتظر",
            text: "انتهى أو توقف عن الانتظار قبل عودة تسجيل الدخول. شغّله من جديد."),
        toolResponseUnusable: Message(
            heading: "تم تمرير تسجيل الدخول",
            text: "لا يمكن عرض ردّ البرنامج هنا. ارجع إليه لترى نتيجة تسجيل دخولك."))
}

extension ConsentPhrases {
    fileprivate static let arabic = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "هل بدأت أنت تسجيل الدخول هذا للتو؟",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "برنامج على \(.host) يطلب من هذا المتصفح تسجيل الدخول إلى \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "لا تتابع إلا إذا كنت قد بدأت هذا هناك للتو: "
            // safety: the people who control HOST get everything that you are about to allow
            + "من يتحكم في \(.host) يحصل على ما ستسمح به الآن.",
        host: "الجهاز الذي يطلب",
        issuer: "خدمة تسجيل الدخول",
        path: "صفحة تلك الخدمة",
        // safety: the name of the program is a claim of the far machine
        client: "البرنامج (client ID) كما يقول ذلك الجهاز",
        scope: "الوصول المطلوب",
        noScope: "غير مذكور",
        resource: "الوصول إلى هذه الخدمة",
        details: "تفاصيل ذلك الوصول",
        prompt: "كيف ينبغي أن تسأل تلك الخدمة (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let arabic = LoopbackPhrases(
        signedIn: Message(
            heading: "تم تسجيل دخولك",
            text: "يمكنك إغلاق علامة التبويب هذه والعودة إلى تطبيقك."),
        failed: Message(
            heading: "لم يتم تسجيل دخولك",
            text: "ارجع إلى تطبيقك: فهو يذكر السبب، ويمكنك المحاولة من جديد هناك."),
        taken: Message(
            heading: "انتهى تسجيل الدخول هذا",
            text: "اكتمل أو أُنهي من قبل. يمكنك إغلاق علامة التبويب هذه والعودة إلى تطبيقك."),
        tooLate: Message(
            heading: "لا ينتظر أي تطبيق تسجيل الدخول هذا",
            text: "استغرق وقتًا طويلاً أو أُلغي. ابدأ من جديد من تطبيقك."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "لم يبدأ تطبيقك تسجيل الدخول هذا",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "لم يُفعل به شيء. لا تنسخ عنوان هذه الصفحة ولا ترسله إلى أي شخص، حتى إذا طُلب منك ذلك."),
        notHere: Message(
            heading: "لا يوجد شيء على هذا العنوان",
            text: "تطبيق على هذا الحاسوب ينتظر تسجيل دخول على عنوان آخر."),
        notOwnUser: Message(
            heading: "هذه الصفحة لمستخدم آخر",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "تطبيق على هذا الحاسوب ينتظر متصفح مستخدمه، وليس مؤكدًا أن هذا هو ذلك المتصفح. لم يُفعل شيء."))
}

extension DesktopPhrases {
    fileprivate static let arabic = DesktopPhrases(
        appsLeftOut: Message(
            heading: "تعذّر على أحد التطبيقات تسجيل دخولك",
            text: "يوجد خطأ في ملف إعداداته، ولذلك لا يُستخدم. يبيّن `switchyard doctor --desktop` أي ملف هو."),
        noApp: Message(
            heading: "تسجيل الدخول هذا لا يخص أي تطبيق",
            text: "لا يوجد في هذه الجلسة تطبيق له العنوان الذي أُرسل إليه متصفحك. "
                // safety: do not give the address to anybody
                + "لا تعطِ هذا العنوان لأي أحد."),
        notAwaited: Message(
            heading: "لا يوجد تطبيق ينتظر تسجيل الدخول هذا",
            text: "لم يبدأه تطبيق في هذه الجلسة، أو أن ذلك التطبيق لم يعد ينتظر. "
                // safety: do not give the address of the page to anybody
                + "لا تعطِ عنوان الصفحة لأي أحد. "
                + "لتسجيل الدخول، ابدأ من جديد من تطبيقك."),
        used: Message(
            heading: "سبق استخدام تسجيل الدخول هذا",
            text: "ارجع إلى تطبيقك. إذا كان لا يزال ينتظر، فابدأ من جديد من هناك."),
        expired: Message(
            heading: "استغرق تسجيل الدخول هذا وقتًا طويلًا",
            text: "ابدأ من جديد من تطبيقك."),
        appIsGone: Message(
            heading: "تعذّر الوصول إلى تطبيقك",
            text: "شغّله، ثم سجّل الدخول من جديد من هناك."),
        outOfReach: Message(
            heading: "تعذّر تسليم تسجيل دخولك",
            text: "البرنامج الذي ينقله إلى تطبيقك لا يعمل. يبيّن `switchyard doctor` السبب. بعد ذلك ابدأ من "
                + "جديد من تطبيقك."),
        keyringLocked: Message(
            heading: "لم يُحفظ تسجيل دخولك بعد",
            text: "حلقة المفاتيح مقفلة. افتح قفلها وسيُحفظ تسجيل الدخول تلقائيًا. وإلا فستحتاج إلى تسجيل "
                + "الدخول من جديد في الجلسة التالية."),
        signInNeeded: Message(
            heading: "ينتظر أحد البرامج تسجيل دخولك",
            text: "يريد استخدام الخادم المذكور أدناه نيابةً عنك. "
                // safety: sign in only if you expect it
                + "إذا كنت تتوقع ذلك فقط، فافتح العنوان في متصفحك وسجّل الدخول."),
        notSaved: Message(
            heading: "لم يُحفظ تسجيل دخولك بعد",
            text: "هناك ما يمنع ذلك، مثل امتلاء القرص؛ وقد يبيّن `switchyard doctor` ما هو. بعد زواله سيُحفظ "
                + "تسجيل الدخول تلقائيًا. وإلا فستحتاج إلى تسجيل الدخول من جديد في الجلسة التالية."))
}
