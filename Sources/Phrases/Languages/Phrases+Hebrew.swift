internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let hebrew = Phrases(
        signIn: .hebrew, endings: .hebrew, question: .hebrew, facts: .hebrew, frame: .hebrew, notices: .hebrew,
        refusals: .hebrew, farMachine: .hebrew, loopback: .hebrew,
        desktop: .hebrew)
}

extension SignInPhrases {
    fileprivate static let hebrew = SignInPhrases(
        collected: Notice(
            heading: "נכנסת לחשבון",
            explanation: "האפליקציה \(.app) קיבלה את פרטי הכניסה שלך.",
            next: "אפשר לסגור את הכרטיסייה הזו ולחזור לאפליקציה \(.app)."),
        waitingForApp: Notice(
            heading: "כמעט סיימנו",
            explanation: "הכניסה הצליחה, אבל האפליקציה \(.app) עדיין לא אספה אותה.",
            next: "יש לחזור לאפליקציה \(.app) ולבדוק שהיא עדיין פועלת. היא כבר לא צריכה את הכרטיסייה הזו."),
        redeeming: Notice(
            heading: "הכניסה לקראת סיום",
            explanation: "הכניסה שלך לאפליקציה \(.app) לקראת סיום.",
            next: "זה נמשך כמה שניות."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "יש להקליד את הקוד הזה בתוכנה שהפעלת",
            explanation: "הכניסה שלך לאפליקציה \(.app) תימשך ברגע שהקוד הזה יגיע לתוכנה:",
            // safety: type it only into a program that you started yourself
            next: "יש להקליד אותו רק בתוכנה שהפעלת בעצמך: אפליקציה, מסוף או סוכן התכנות שלך. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "אף אחד לא יבקש ממך את הקוד: לא בטלפון, לא באימייל ולא בהודעה. מי שמבקש אותו רוצה לחדור לחשבון שלך."),
        returning: Notice(
            heading: "חזרה לאפליקציה שלך",
            explanation: "מתבצעת חזרה לאפליקציה \(.app), והיא תסיים את הכניסה.",
            next: "אם לא קורה כלום, אפשר להשתמש בקישור הזה:"),
        openApp: "חזרה אל \(.app)",
        delivered: Notice(
            heading: "יש להמשיך באפליקציה שלך",
            explanation: "האפליקציה \(.app) קיבלה את התשובה משירות הכניסה שלך.",
            next: "אפשר לסגור את הכרטיסייה הזו ולחזור לאפליקציה \(.app), שבה רואים אם הכניסה הצליחה."),
        delivering: Notice(
            heading: "מתבצעת פנייה לאפליקציה שלך",
            explanation: "התשובה משירות הכניסה שלך בדרך לאפליקציה \(.app).",
            next: "זה נמשך כמה שניות, או יותר אם האפליקציה \(.app) צריכה קודם להתחיל לפעול."),
        undelivered: Notice(
            heading: "לא ניתן היה להגיע לאפליקציה שלך",
            explanation: "האפליקציה \(.app) לא קיבלה את התשובה משירות הכניסה שלך: היא לא פועלת כאן או לא מגיבה.",
            next: "יש לפתוח את האפליקציה \(.app) ולהתחיל בה את הכניסה מחדש. אם זה קורה שוב, יש לבקש עזרה ממי שמטפל "
                + "באפליקציה."),
        passedOn: Notice(
            heading: "יש להמשיך באפליקציה שלך",
            explanation: "הדפדפן שלך הועבר לאפליקציה \(.app) במחשב הזה, עם התשובה משירות הכניסה שלך.",
            next: "אם במקום זאת הוצגה שגיאה, האפליקציה \(.app) כבר לא מחכה לכניסה הזו: יש להתחיל שם מחדש."))
}

extension EndingPhrases {
    fileprivate static let hebrew = EndingPhrases(
        heading: "לא נכנסת לחשבון",
        accessDenied: Ending(
            "הכניסה לאפליקציה \(.app) נדחתה, על ידך או בגלל כלל של הארגון שלך.",
            "כדי לנסות שוב, יש לסגור את הכרטיסייה הזו ולהתחיל מהאפליקציה \(.app)."),
        canceled: Ending(
            "הכניסה לאפליקציה \(.app) בוטלה.",
            "אפשר לסגור את הכרטיסייה הזו. כדי להיכנס בכל זאת, יש להתחיל מחדש מהאפליקציה \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "הכניסה לאפליקציה \(.app) הופסקה, כי הודעת שזה לא היה מעשה שלך. איש לא קיבל גישה.",
            // safety: if somebody sent you the link, tell your IT department
            "אפשר לסגור את הכרטיסייה הזו. אם מישהו שלח לך את הקישור, יש להודיע למחלקת ה-IT שלך."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "הוקלדו יותר מדי קודים שגויים, ולכן הכניסה לאפליקציה \(.app) הופסקה. איש לא קיבל גישה.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "אם ההקלדה הייתה שלך, יש להתחיל מחדש מהאפליקציה \(.app). אם לא, ייתכן שמישהו אחר ניסה לחדור לחשבון שלך: יש "
                + "להודיע למחלקת ה-IT שלך."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "הקוד לא הוקלד בזמן, ולכן הכניסה לאפליקציה \(.app) הופסקה. איש לא קיבל גישה.",
            "יש לסגור את הכרטיסייה הזו ולהתחיל מחדש מהאפליקציה \(.app)."),
        codeNotTaken: Ending(
            "הקוד הוקלד מאוחר כל כך, ששירות הכניסה שלך כבר לא מקבל את הכניסה לאפליקציה \(.app).",
            "יש להתחיל מחדש מהאפליקציה \(.app) ולהקליד את הקוד ברגע שרואים אותו."),
        declinedScopes: Ending(
            "האפליקציה \(.app) לא קיבלה את כל ההרשאות שהיא צריכה, ולכן הכניסה לא הושלמה.",
            "יש להתחיל מחדש מהאפליקציה \(.app) ולאשר את מה שהיא מבקשת. אם אי אפשר, יש לפנות למחלקת ה-IT שלך."),
        expired: Ending(
            "הכניסה לאפליקציה \(.app) נמשכה זמן רב מדי ופג תוקפה.",
            "יש לסגור את הכרטיסייה הזו ולהתחיל מחדש מהאפליקציה \(.app)."),
        interactionRequired: Ending(
            "שירות הכניסה שלך צריך ממך עוד שלב אחד לפני שהאפליקציה \(.app) תוכל להמשיך.",
            "יש לסגור את הכרטיסייה הזו ולהתחיל מחדש מהאפליקציה \(.app)."),
        protectionPolicyRequired: Ending(
            "הארגון שלך מתיר את האפליקציה \(.app) רק במכשירים או באפליקציות שבניהולו.",
            "יש לשאול את מחלקת ה-IT שלך איך לעמוד בדרישה הזו, ואז להתחיל מחדש מהאפליקציה \(.app)."),
        issuerUnavailable: Ending(
            "יש בעיה בשירות הכניסה שלך, והוא לא השלים את הכניסה לאפליקציה \(.app).",
            "יש לחכות כמה דקות, ואז להתחיל מחדש מהאפליקציה \(.app)."),
        issuerRefused: Ending(
            "שירות הכניסה שלך לא קיבל את הבקשה מהאפליקציה \(.app).",
            "יש להתחיל מחדש מהאפליקציה \(.app). אם זה קורה שוב, יש לבקש עזרה ממי שמטפל באפליקציה."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "לא ניתן היה לאמת את התשובה משירות הכניסה שלך, ולכן האפליקציה \(.app) לא קיבלה אותה.",
            "יש להתחיל מחדש מהאפליקציה \(.app). אם זה קורה שוב, יש לבקש עזרה ממי שמטפל באפליקציה."),
        internalError: Ending(
            "משהו השתבש כאן, והכניסה לאפליקציה \(.app) לא הושלמה.",
            "יש להתחיל מחדש מהאפליקציה \(.app). אם זה קורה שוב, יש לבקש עזרה ממי שמטפל באפליקציה."))
}

extension QuestionPhrases {
    fileprivate static let hebrew = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "האם התחלת את הכניסה הזו?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "תוכנה בכתובת \(.address) מבקשת ממך להיכנס לאפליקציה \(.app). הדפדפן שלך נמצא בכתובת אחרת.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "תוכנה בשרת שמציג את הדף הזה מבקשת ממך להיכנס לאפליקציה \(.app). הדפדפן שלך נמצא במקום אחר.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "תוכנה מבקשת ממך להיכנס לאפליקציה \(.app). לא ידוע איפה התוכנה הזו נמצאת.",
        // safety: if you did not begin this yourself, do not continue
        warning: "אם לא התחלת את זה בעצמך, אין להמשיך. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "אם מישהו שלח לך את הקישור הזה, זו תקיפה: רוצים לחדור לחשבון שלך.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "מי שמקבל את הגישה שתאושר הוא המפעיל של \(.host), ולא התוכנה.",
        // safety: the button says that somebody else began this sign-in
        notMe: "זה לא אני",
        proceed: "המשך לכניסה")
}

extension FactPhrases {
    fileprivate static let hebrew = FactPhrases(
        askedFrom: "מקור הבקשה",
        thisMachine: "השרת שמציג את הדף הזה",
        // safety: the place is not known
        unknownPlace: "מקום לא ידוע",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "אותה כתובת כמו של הדפדפן הזה",
        askedAt: "שעת הבקשה",
        // safety: only the program says so
        hostClaim: "המקום שבו התוכנה פועלת, לדבריה",
        resource: "גישה אל",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "בתשובה נאמר (איש לא אימת זאת)",
        reference: "מספר סימוכין, לבקשת עזרה")
}

extension FramePhrases {
    fileprivate static let hebrew = FramePhrases(
        updatesItself: "הדף הזה מראה מעצמו כשמשהו משתנה.",
        reloadToUpdate: "יש לטעון את הדף מחדש כדי לראות אם משהו השתנה.",
        reload: "טעינה מחדש",
        changed: "משהו השתנה: הדף נטען מחדש.",
        unreachable: "אי אפשר להגיע לשירות הזה כרגע. הדף ממשיך לנסות.",
        stoppedLooking: "הדף הזה כבר לא מחפש שינויים מעצמו. יש לטעון אותו מחדש כדי לראות אם משהו השתנה.",
        help: "עזרה",
        privacy: "פרטיות")
}

extension NoticePhrases {
    fileprivate static let hebrew = NoticePhrases(
        neutral: Notice(
            heading: "אין מה להציג כאן",
            explanation: "רק הדפדפן שבו בוצעה הכניסה יכול לראות את התוצאה שלה.",
            next: "אם היית באמצע כניסה, יש לחזור לאפליקציה שלך: היא יודעת את התוצאה. אפשר לסגור את הכרטיסייה הזו."),
        startedElsewhere: Notice(
            heading: "הכניסה הזו התחילה בדפדפן אחר",
            // safety: it can only be finished in the browser where it was started
            explanation: "אפשר לסיים אותה רק במקום שבו התחילה. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "מה ששירות הכניסה שלך שלח לדפדפן הזה כבר לא יתקבל, גם לא שם.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "אם מישהו שלח לך את הקישור לכניסה הזו, ייתכן שזו תקיפה: יש להודיע למחלקת ה-IT שלך. כדי להיכנס בעצמך, "
                + "יש להתחיל מהאפליקציה שלך."),
        sendingFragment: Notice(
            heading: "הכניסה לקראת סיום",
            explanation: "התשובה משירות הכניסה שלך בדרך לאפליקציה שלך.",
            next: "זה נמשך כמה שניות."),
        fragmentNeedsScript: Notice(
            heading: "הכניסה שלך עדיין לא הסתיימה",
            explanation: "הדף הזה צריך סקריפט כדי להעביר את התשובה משירות הכניסה שלך. יש לאפשר סקריפטים בדף הזה ולטעון "
                + "אותו מחדש, או להתחיל מחדש מהאפליקציה שלך.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "אין להעתיק את הכתובת של הדף הזה ואין לשלוח אותה לאף אחד, גם אם מבקשים ממך."))
}

private let startAgain = "יש לסגור את הכרטיסייה הזו ולהתחיל מחדש מהאפליקציה שלך."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "אין להעתיק את הכתובת של הדף הזה ואין לשלוח אותה לאף אחד, גם אם מבקשים ממך. כדי להיכנס, יש לסגור את הכרטיסייה הזו "
    + "ולהתחיל מחדש מהאפליקציה שלך."

extension RefusalPhrases {
    fileprivate static let hebrew = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "האפליקציה שלך לא התחילה את הכניסה הזו",
            explanation: "אף אפליקציה לא מחכה לה, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        expired: Notice(
            heading: "פג התוקף של הכניסה הזו",
            explanation: "היא נמשכה זמן רב מדי, והאפליקציה שלך כבר לא מחכה לה.",
            next: startAgain),
        ended: Notice(
            heading: "הכניסה הזו הסתיימה",
            explanation: "היא כבר הושלמה או הופסקה, ואי אפשר להשתמש שוב בקישור שלה.",
            next: "אם עדיין רוצים להיכנס, יש לסגור את הכרטיסייה הזו ולהתחיל מחדש מהאפליקציה שלך."),
        wrongRedirectURI: Notice(
            heading: "הכניסה הזו הגיעה לכתובת הלא נכונה",
            explanation: "היא שייכת לאפליקציה אחרת, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "התשובה הזו הגיעה משירות הכניסה הלא נכון",
            explanation: "היא לא מהשירות שהאפליקציה שלך פנתה אליו, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "התשובה הזו הגיעה בדרך הלא נכונה",
            explanation: "האפליקציה שלך ביקשה אותה בצורה אחרת, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "לא ניתן היה לאמת את התשובה הזו",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "היא לא מוכיחה שהיא משירות הכניסה שלך, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "לא ניתן לקרוא את הכניסה הזו",
            explanation: "חלק מהתשובה הופיע פעמיים, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        missingCode: Notice(
            heading: "הכניסה הזו לא שלמה",
            explanation: "בתשובה לא נאמר שהכניסה הצליחה וגם לא שהיא נכשלה.",
            next: startAgain),
        malformed: Notice(
            heading: "לא ניתן לקרוא את הכניסה הזו",
            explanation: "התשובה פגומה או סותרת את עצמה, ולכן לא נעשה בה דבר.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "הכניסה הזו התחילה בדפדפן אחר",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "אפשר לסיים אותה רק במקום שבו התחילה, ולכן לא נעשה בה דבר.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "כבר נעשה שימוש בכניסה הזו",
            // safety: it came again with another code, which was not accepted
            explanation: "היא הגיעה שוב עם קוד אחר, שלא התקבל.",
            next: keepAddress),
        notFound: Notice(
            heading: "אין כלום בכתובת הזו",
            explanation: "ייתכן שהכתובת שגויה או לא עדכנית.",
            next: "אם היית באמצע כניסה, יש לסגור את הכרטיסייה הזו ולהתחיל מחדש מהאפליקציה שלך."),
        wrongForm: Notice(
            heading: "הבקשה הזו לא התקבלה",
            explanation: "היא נשלחה בצורה שהכתובת הזו לא מקבלת.",
            next: startAgain),
        tooLarge: Notice(
            heading: "הבקשה הזו גדולה מדי",
            explanation: "היא ארוכה יותר מכל כניסה, ולכן לא נקראה.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "יותר מדי בקשות",
            explanation: "מהרשת שלך הגיעו יותר בקשות ממה שאפשר לענות עליהן עכשיו.",
            next: "יש לחכות דקה, ואז לטעון את הדף מחדש."),
        prefetch: Notice(
            heading: "עדיין לא קרה כלום",
            explanation: "הדפדפן שלך או דף אחר טען את הכתובת הזו מראש, וזה לא מכניס אף אחד לחשבון.",
            next: "כדי להמשיך, יש לטעון את הדף מחדש."),
        unavailable: Notice(
            heading: "הכניסה לא זמינה כרגע",
            explanation: "השירות הזה לא יכול לענות כרגע.",
            next: "יש לחכות דקה, ואז לטעון את הדף מחדש."))
}

extension FarMachinePhrases {
    fileprivate static let hebrew = FarMachinePhrases(
        consent: .hebrew,
        refused: Message(
            heading: "לא נפתח כלום",
            // safety: the program on the other machine gets nothing
            text: "התוכנה במחשב האחר לא מקבלת כלום. אפשר לסגור את הכרטיסייה הזו."),
        ended: Message(
            heading: "הכניסה הזו הסתיימה",
            text: "היא נמשכה זמן רב מדי, או שהתוכנה שלה כבר לא פועלת. יש להתחיל מחדש בתוכנה."),
        alreadyDelivered: Message(
            heading: "הכניסה הזו כבר הועברה",
            text: "אפשר לסגור את הכרטיסייה הזו ולחזור לתוכנה שלך."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "לא התחלת את הכניסה הזו",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "לא הועבר כלום. אין לתת לאף אחד את הכתובת של הדף הזה."),
        notHere: Message(
            heading: "אין כאן כלום",
            text: "תוכנה במחשב אחר מחכה לכניסה בכתובת אחרת."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "לא ביקשת את זה",
            // safety: a page asked in the background, and nothing was passed on
            text: "דף כלשהו ביקש את זה ברקע. לא הועבר כלום."),
        toolGone: Message(
            heading: "התוכנה כבר לא מחכה",
            text: "היא נסגרה או הפסיקה לחכות לפני שהכניסה חזרה. יש להפעיל אותה שוב."),
        toolResponseUnusable: Message(
            heading: "הכניסה הועברה",
            text: "אי אפשר להציג כאן את תשובת התוכנה. יש לחזור אליה כדי לראות אם הכניסה הצליחה."))
}

extension ConsentPhrases {
    fileprivate static let hebrew = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "האם התחלת את הכניסה הזו הרגע?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "תוכנה ב-\(.host) מבקשת מהדפדפן הזה להיכנס אל \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "יש להמשיך רק אם התחלת את זה שם הרגע: "
            // safety: the people who control HOST get everything that you are about to allow
            + "מי ששולט ב-\(.host) יקבל את מה שעומדים לאשר כאן.",
        host: "המחשב שמבקש",
        issuer: "שירות הכניסה",
        path: "הדף של השירות",
        // safety: the name of the program is a claim of the far machine
        client: "התוכנה (client ID), לפי אותו מחשב",
        scope: "הגישה המבוקשת",
        noScope: "לא צוין",
        resource: "גישה לשירות הזה",
        details: "פרטי הגישה",
        prompt: "איך השירות צריך לשאול (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let hebrew = LoopbackPhrases(
        signedIn: Message(
            heading: "נכנסת לחשבון",
            text: "אפשר לסגור את הכרטיסייה הזו ולחזור לאפליקציה שלך."),
        failed: Message(
            heading: "לא נכנסת לחשבון",
            text: "יש לחזור לאפליקציה שלך: היא מציגה את הסיבה, ואפשר לנסות בה שוב."),
        taken: Message(
            heading: "הכניסה הזו הסתיימה",
            text: "היא כבר הושלמה או הופסקה. אפשר לסגור את הכרטיסייה הזו ולחזור לאפליקציה שלך."),
        tooLate: Message(
            heading: "אף אפליקציה לא מחכה לכניסה הזו",
            text: "היא נמשכה זמן רב מדי או בוטלה. יש להתחיל מחדש מהאפליקציה שלך."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "האפליקציה שלך לא התחילה את הכניסה הזו",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "לא נעשה בה דבר. אין להעתיק את הכתובת של הדף הזה ואין לשלוח אותה לאף אחד, גם אם מבקשים ממך."),
        notHere: Message(
            heading: "אין כלום בכתובת הזו",
            text: "אפליקציה במחשב הזה מחכה לכניסה בכתובת אחרת."),
        notOwnUser: Message(
            heading: "הדף הזה מיועד למשתמש אחר",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "אפליקציה במחשב הזה מחכה לדפדפן של המשתמש שלה, ולא בטוח שזה הדפדפן הזה. לא נעשה דבר."))
}

extension DesktopPhrases {
    fileprivate static let hebrew = DesktopPhrases(
        appsLeftOut: Message(
            heading: "יישום אינו יכול לבצע את הכניסה",
            text: "בקובץ ההגדרות שלו יש שגיאה, ולכן הוא אינו בשימוש. `switchyard doctor --desktop` מציין איזה "
                + "קובץ זה."),
        noApp: Message(
            heading: "הכניסה הזו אינה שייכת לאף יישום",
            text: "לאף יישום בהפעלה הזו אין הכתובת שאליה נשלח הדפדפן. "
                // safety: do not give the address to anybody
                + "אין למסור אותה לאף אחד."),
        notAwaited: Message(
            heading: "אף יישום אינו ממתין לכניסה הזו",
            text: "היא לא התחילה ביישום של ההפעלה הזו, או שהיישום כבר אינו ממתין. "
                // safety: do not give the address of the page to anybody
                + "אין למסור את כתובת הדף לאף אחד. "
                + "כדי להיכנס, יש להתחיל שוב מהיישום."),
        used: Message(
            heading: "הכניסה הזו כבר נוצלה",
            text: "אפשר לחזור ליישום. אם הוא עדיין ממתין, יש להתחיל שוב משם."),
        expired: Message(
            heading: "הכניסה הזו נמשכה זמן רב מדי",
            text: "יש להתחיל שוב מהיישום."),
        appIsGone: Message(
            heading: "אין גישה ליישום",
            text: "יש להפעיל אותו ולהיכנס שוב משם."),
        outOfReach: Message(
            heading: "לא היה אפשר להעביר את הכניסה",
            text: "התוכנית שמעבירה אותה ליישום אינה עולה. `switchyard doctor` מציין מדוע. לאחר מכן יש להתחיל "
                + "שוב מהיישום."),
        keyringLocked: Message(
            heading: "הכניסה עדיין לא נשמרה",
            text: "מחזיק המפתחות נעול. לאחר פתיחת הנעילה הכניסה תישמר מעצמה. אם לא, יהיה צורך להיכנס שוב "
                + "בהפעלה הבאה."),
        signInNeeded: Message(
            heading: "תוכנית ממתינה לכניסה שלך",
            text: "היא מבקשת להשתמש בשמך בשרת שמצוין למטה. "
                // safety: sign in only if you expect it
                + "רק אם זה צפוי, יש לפתוח את הכתובת בדפדפן ולהיכנס."),
        notSaved: Message(
            heading: "הכניסה עדיין לא נשמרה",
            text: "משהו מונע זאת, למשל דיסק מלא; ייתכן ש־`switchyard doctor` יציין מה. לאחר שייפתר, הכניסה "
                + "תישמר מעצמה. אם לא, יהיה צורך להיכנס שוב בהפעלה הבאה."))
}
