internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let turkish = Phrases(
        signIn: .turkish, endings: .turkish, question: .turkish, facts: .turkish, frame: .turkish, notices: .turkish,
        refusals: .turkish, farMachine: .turkish, loopback: .turkish,
        desktop: .turkish)
}

extension SignInPhrases {
    fileprivate static let turkish = SignInPhrases(
        collected: Notice(
            heading: "Oturum açtınız",
            explanation: "\(.app) uygulaması oturum açma bilginizi aldı.",
            next: "Bu sekmeyi kapatıp \(.app) uygulamasına dönebilirsiniz."),
        waitingForApp: Notice(
            heading: "Neredeyse bitti",
            explanation: "Oturum açma başarılı oldu, ancak \(.app) uygulaması sonucu henüz almadı.",
            next: "\(.app) uygulamasına dönün ve hâlâ çalıştığını kontrol edin. Uygulamanın bu sekmeye artık ihtiyacı "
                + "yok."),
        redeeming: Notice(
            heading: "Oturum açma tamamlanıyor",
            explanation: "\(.app) uygulamasında oturum açmanız tamamlanıyor.",
            next: "Bu işlem birkaç saniye sürer."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Bu kodu kendi başlattığınız programa yazın",
            explanation: "Bu kod o programa yazılır yazılmaz \(.app) uygulamasında oturum açmanız devam eder:",
            // safety: type it only into a program that you started yourself
            next: "Kodu yalnızca kendi başlattığınız programa yazın: bir uygulamaya, bir terminale, kendi kodlama "
                + "ajanınıza. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Hiç kimse sizden bu kodu istemez: ne telefonla, ne e-postayla, ne de mesajla. İsteyen kişi "
                + "hesabınıza girmek istiyordur."),
        returning: Notice(
            heading: "Uygulamanıza dönülüyor",
            explanation: "\(.app) uygulamasına dönüyorsunuz; oturum açmayı o tamamlar.",
            next: "Hiçbir şey olmazsa bu bağlantıyı kullanın:"),
        openApp: "\(.app) uygulamasına dön",
        delivered: Notice(
            heading: "Uygulamanızda devam edin",
            explanation: "\(.app) uygulaması, oturum açma hizmetinizin yanıtını aldı.",
            next: "Bu sekmeyi kapatıp \(.app) uygulamasına dönebilirsiniz; oturum açmanın nasıl sonuçlandığını orada "
                + "görürsünüz."),
        delivering: Notice(
            heading: "Uygulamanıza ulaşılıyor",
            explanation: "Oturum açma hizmetinizin yanıtı \(.app) uygulamasına gönderiliyor.",
            next: "Bu işlem birkaç saniye sürer; \(.app) uygulamasının önce başlaması gerekiyorsa daha uzun sürer."),
        undelivered: Notice(
            heading: "Uygulamanıza ulaşılamadı",
            explanation: "\(.app) uygulaması, oturum açma hizmetinizin yanıtını almadı: burada çalışmıyor veya yanıt "
                + "vermiyor.",
            next: "\(.app) uygulamasını açın ve oturum açmayı oradan yeniden başlatın. Bu durum yinelenirse "
                + "uygulamadan sorumlu kişiden yardım isteyin."),
        passedOn: Notice(
            heading: "Uygulamanızda devam edin",
            explanation: "Tarayıcınız, oturum açma hizmetinizin yanıtıyla birlikte bu bilgisayardaki \(.app) "
                + "uygulamasına yönlendirildi.",
            next: "Bunun yerine bir hata gösterdiyse \(.app) uygulaması artık bu oturum açmayı beklemiyordur: oradan "
                + "yeniden başlayın."))
}

extension EndingPhrases {
    fileprivate static let turkish = EndingPhrases(
        heading: "Oturum açmadınız",
        accessDenied: Ending(
            "\(.app) uygulamasında oturum açma, sizin tarafınızdan veya kuruluşunuzun bir kuralı nedeniyle reddedildi.",
            "Yeniden denemek için bu sekmeyi kapatın ve \(.app) uygulamasından başlayın."),
        canceled: Ending(
            "\(.app) uygulamasında oturum açma iptal edildi.",
            "Bu sekmeyi kapatabilirsiniz. Yine de oturum açmak isterseniz \(.app) uygulamasından yeniden başlayın."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "Siz olmadığınızı söylediğiniz için \(.app) uygulamasında oturum açma sonlandırıldı. Kimse erişim elde "
                + "etmedi.",
            // safety: if somebody sent you the link, tell your IT department
            "Bu sekmeyi kapatabilirsiniz. Bağlantıyı size başka biri gönderdiyse BT bölümünüze haber verin."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Çok fazla yanlış kod yazıldığı için \(.app) uygulamasında oturum açma sonlandırıldı. Kimse erişim elde "
                + "etmedi.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "Yazan sizseniz \(.app) uygulamasından yeniden başlayın. Değilseniz başka biri hesabınıza girmeye çalışmış "
                + "olabilir: BT bölümünüze haber verin."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "Kod zamanında yazılmadığı için \(.app) uygulamasında oturum açma sonlandırıldı. Kimse erişim elde etmedi.",
            "Bu sekmeyi kapatın ve \(.app) uygulamasından yeniden başlayın."),
        codeNotTaken: Ending(
            "Kod o kadar geç yazıldı ki oturum açma hizmetiniz artık \(.app) uygulamasında oturum açmayı kabul "
                + "etmiyor.",
            "\(.app) uygulamasından yeniden başlayın ve kodu görür görmez yazın."),
        declinedScopes: Ending(
            "\(.app) uygulamasına gerekli izinlerin tümü verilmediği için oturum açma tamamlanmadı.",
            "\(.app) uygulamasından yeniden başlayın ve istediklerine izin verin. Veremiyorsanız BT bölümünüze "
                + "danışın."),
        expired: Ending(
            "\(.app) uygulamasında oturum açma çok uzun sürdü ve süresi doldu.",
            "Bu sekmeyi kapatın ve \(.app) uygulamasından yeniden başlayın."),
        interactionRequired: Ending(
            "\(.app) uygulamasının devam edebilmesi için oturum açma hizmetiniz sizden bir adım daha istiyor.",
            "Bu sekmeyi kapatın ve \(.app) uygulamasından yeniden başlayın."),
        protectionPolicyRequired: Ending(
            "Kuruluşunuz \(.app) uygulamasına yalnızca kendi yönettiği cihazlarda veya uygulamalarda izin veriyor.",
            "Bu koşulu nasıl karşılayacağınızı BT bölümünüze sorun, ardından \(.app) uygulamasından yeniden başlayın."),
        issuerUnavailable: Ending(
            "Oturum açma hizmetiniz sorun yaşıyor ve \(.app) uygulamasında oturum açmayı tamamlamadı.",
            "Birkaç dakika bekleyin, ardından \(.app) uygulamasından yeniden başlayın."),
        issuerRefused: Ending(
            "Oturum açma hizmetiniz \(.app) uygulamasının isteğini kabul etmedi.",
            "\(.app) uygulamasından yeniden başlayın. Bu durum yinelenirse uygulamadan sorumlu kişiden yardım "
                + "isteyin."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "Oturum açma hizmetinizin yanıtı doğrulanamadığı için \(.app) uygulamasına verilmedi.",
            "\(.app) uygulamasından yeniden başlayın. Bu durum yinelenirse uygulamadan sorumlu kişiden yardım "
                + "isteyin."),
        internalError: Ending(
            "Burada bir sorun oluştu ve \(.app) uygulamasında oturum açma tamamlanmadı.",
            "\(.app) uygulamasından yeniden başlayın. Bu durum yinelenirse uygulamadan sorumlu kişiden yardım "
                + "isteyin."))
}

extension QuestionPhrases {
    fileprivate static let turkish = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Bu oturum açmayı siz mi başlattınız?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "\(.address) adresindeki bir program, \(.app) uygulamasında oturum açmanızı istiyor. Tarayıcınız "
            + "başka bir adreste.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "Bu sayfayı gösteren sunucudaki bir program, \(.app) uygulamasında oturum açmanızı istiyor. "
            + "Tarayıcınız başka bir yerde.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "Bir program, \(.app) uygulamasında oturum açmanızı istiyor. Bu programın nerede olduğu bilinmiyor.",
        // safety: if you did not begin this yourself, do not continue
        warning: "Bunu kendiniz başlatmadıysanız devam etmeyin. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "Bu bağlantıyı size başka biri gönderdiyse bu bir saldırıdır: hesabınıza girmek istiyorlar.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "İzin verdiğiniz erişimi program değil, \(.host) sitesinin işletmecisi alır.",
        // safety: the button says that somebody else began this sign-in
        notMe: "Bu ben değildim",
        proceed: "Oturum açmaya devam et")
}

extension FactPhrases {
    fileprivate static let turkish = FactPhrases(
        askedFrom: "İsteğin geldiği yer",
        thisMachine: "bu sayfayı gösteren sunucu",
        // safety: the place is not known
        unknownPlace: "bilinmeyen bir yer",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "bu tarayıcıyla aynı adres",
        askedAt: "İstek zamanı",
        // safety: only the program says so
        hostClaim: "Programın çalıştığını söylediği yer",
        resource: "Erişilecek yer",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "Yanıtta yazan (kimse doğrulamadı)",
        reference: "Yardım isterseniz başvuru numarası")
}

extension FramePhrases {
    fileprivate static let turkish = FramePhrases(
        updatesItself: "Bir şey değiştiğinde bu sayfa bunu kendiliğinden gösterir.",
        reloadToUpdate: "Bir şeyin değişip değişmediğini görmek için bu sayfayı yenileyin.",
        reload: "Yenile",
        changed: "Bir şey değişti: sayfa yeniden yükleniyor.",
        unreachable: "Bu hizmete şu anda ulaşılamıyor. Sayfa denemeyi sürdürüyor.",
        stoppedLooking: "Bu sayfa artık değişikliklere kendiliğinden bakmıyor. Bir şeyin değişip değişmediğini görmek "
            + "için sayfayı yenileyin.",
        help: "Yardım",
        privacy: "Gizlilik")
}

extension NoticePhrases {
    fileprivate static let turkish = NoticePhrases(
        neutral: Notice(
            heading: "Burada gösterilecek bir şey yok",
            explanation: "Oturum açmanın nasıl sonuçlandığını yalnızca oturumun açıldığı tarayıcı görebilir.",
            next: "Oturum açıyorduysanız uygulamanıza dönün: sonucu o bilir. Bu sekmeyi kapatabilirsiniz."),
        startedElsewhere: Notice(
            heading: "Bu oturum açma başka bir tarayıcıda başlatıldı",
            // safety: it can only be finished in the browser where it was started
            explanation: "Yalnızca başlatıldığı yerde tamamlanabilir. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "Oturum açma hizmetinizin bu tarayıcıya gönderdiği yanıt artık orada bile kabul edilmez.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "Bu oturum açmanın bağlantısını size başka biri gönderdiyse bu bir saldırı olabilir: BT bölümünüze "
                + "haber verin. Kendiniz oturum açmak için uygulamanızdan başlayın."),
        sendingFragment: Notice(
            heading: "Oturum açma tamamlanıyor",
            explanation: "Oturum açma hizmetinizin yanıtı uygulamanıza gönderiliyor.",
            next: "Bu işlem birkaç saniye sürer."),
        fragmentNeedsScript: Notice(
            heading: "Oturum açmanız henüz tamamlanmadı",
            explanation: "Bu sayfanın, oturum açma hizmetinizin yanıtını iletmek için bir betiğe ihtiyacı var. Bu "
                + "sayfada betiklere izin verip sayfayı yenileyin veya uygulamanızdan yeniden başlayın.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Sizden istense bile bu sayfanın adresini kopyalamayın ve kimseye göndermeyin."))
}

private let startAgain = "Bu sekmeyi kapatın ve uygulamanızdan yeniden başlayın."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Sizden istense bile bu sayfanın adresini kopyalamayın ve kimseye göndermeyin. Oturum açmak istiyorsanız bu "
    + "sekmeyi kapatın ve uygulamanızdan yeniden başlayın."

extension RefusalPhrases {
    fileprivate static let turkish = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "Bu oturum açmayı uygulamanız başlatmadı",
            explanation: "Hiçbir uygulama bunu beklemiyor, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        expired: Notice(
            heading: "Bu oturum açmanın süresi doldu",
            explanation: "Çok uzun sürdü ve uygulamanız artık bunu beklemiyor.",
            next: startAgain),
        ended: Notice(
            heading: "Bu oturum açma sona erdi",
            explanation: "Daha önce tamamlandı veya sonlandırıldı ve bağlantısı yeniden kullanılamaz.",
            next: "Hâlâ oturum açmak istiyorsanız bu sekmeyi kapatın ve uygulamanızdan yeniden başlayın."),
        wrongRedirectURI: Notice(
            heading: "Bu oturum açma yanlış adrese geldi",
            explanation: "Başka bir uygulamaya ait, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "Bu yanıt yanlış oturum açma hizmetinden geldi",
            explanation: "Uygulamanızın sorduğu hizmetten değil, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "Bu yanıt yanlış yoldan geldi",
            explanation: "Uygulamanız bunu başka bir biçimde istemişti, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "Bu yanıt doğrulanamadı",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "Oturum açma hizmetinizden geldiğini kanıtlamıyor, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "Bu oturum açma okunamıyor",
            explanation: "Yanıtın bir bölümü iki kez geçiyor, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        missingCode: Notice(
            heading: "Bu oturum açma eksik",
            explanation: "Yanıt, oturum açmanın ne başarılı ne de başarısız olduğunu söylüyor.",
            next: startAgain),
        malformed: Notice(
            heading: "Bu oturum açma okunamıyor",
            explanation: "Yanıt bozuk veya kendisiyle çelişiyor, bu nedenle bununla hiçbir şey yapılmadı.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "Bu oturum açma başka bir tarayıcıda başlatıldı",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "Yalnızca başlatıldığı yerde tamamlanabilir, bu nedenle bununla hiçbir şey yapılmadı.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "Bu oturum açma zaten kullanıldı",
            // safety: it came again with another code, which was not accepted
            explanation: "Başka bir kodla yeniden geldi ve bu kod kabul edilmedi.",
            next: keepAddress),
        notFound: Notice(
            heading: "Bu adreste bir şey yok",
            explanation: "Adres yanlış yazılmış veya eskimiş olabilir.",
            next: "Oturum açıyorduysanız bu sekmeyi kapatın ve uygulamanızdan yeniden başlayın."),
        wrongForm: Notice(
            heading: "Bu istek kabul edilmedi",
            explanation: "Bu adresin kabul etmediği bir biçimde gönderildi.",
            next: startAgain),
        tooLarge: Notice(
            heading: "Bu istek çok büyük",
            explanation: "Herhangi bir oturum açmadan daha uzun, bu nedenle okunmadı.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Çok fazla istek",
            explanation: "Ağınızdan, şu anda yanıtlanabilecek olandan daha fazla istek geldi.",
            next: "Bir dakika bekleyin, ardından bu sayfayı yenileyin."),
        prefetch: Notice(
            heading: "Henüz bir şey olmadı",
            explanation: "Tarayıcınız veya başka bir sayfa bu adresi önceden yükledi; bununla kimsenin oturumu "
                + "açılmaz.",
            next: "Devam etmek için bu sayfayı yenileyin."),
        unavailable: Notice(
            heading: "Şu anda oturum açılamıyor",
            explanation: "Bu hizmet şu anda yanıt veremiyor.",
            next: "Bir dakika bekleyin, ardından bu sayfayı yenileyin."))
}

extension FarMachinePhrases {
    fileprivate static let turkish = FarMachinePhrases(
        consent: .turkish,
        refused: Message(
            heading: "Hiçbir şey açılmadı",
            // safety: the program on the other machine gets nothing
            text: "Diğer makinedeki program hiçbir şey almıyor. Bu sekmeyi kapatabilirsiniz."),
        ended: Message(
            heading: "Bu oturum açma sona erdi",
            text: "Çok uzun sürdü veya programı artık çalışmıyor. O programda yeniden başlayın."),
        alreadyDelivered: Message(
            heading: "Bu oturum açma zaten iletildi",
            text: "Bu sekmeyi kapatıp programınıza dönebilirsiniz."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "Bu oturum açmayı siz başlatmadınız",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Hiçbir şey iletilmedi. Bu sayfanın adresini kimseye vermeyin."),
        notHere: Message(
            heading: "Burada bir şey yok",
            text: "Başka bir makinedeki bir program, başka bir adreste oturum açılmasını bekliyor."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "Bunu siz istemediniz",
            // safety: a page asked in the background, and nothing was passed on
            text: "Bir sayfa bunu arka planda istedi. Hiçbir şey iletilmedi."),
        toolGone: Message(
            heading: "Program artık beklemiyor",
            text: "Oturum açma geri gelmeden kapandı veya beklemeyi bıraktı. Programı yeniden başlatın."),
        toolResponseUnusable: Message(
            heading: "Oturum açma iletildi",
            text: "Programın yanıtı burada gösterilemiyor. Oturum açmanızın nasıl sonuçlandığını görmek için programa "
                + "dönün."))
}

extension ConsentPhrases {
    fileprivate static let turkish = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Bu oturum açmayı az önce siz mi başlattınız?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "\(.host) üzerindeki bir program, bu tarayıcıdan \(.issuer) hizmetinde oturum açmasını istiyor.",
        // safety: continue only if you began this there a moment ago
        warning: "Yalnızca bunu az önce orada kendiniz başlattıysanız devam edin: "
            // safety: the people who control HOST get everything that you are about to allow
            + "birazdan izin vereceğiniz şeyi \(.host) makinesini kim denetliyorsa o alır.",
        host: "İsteyen makine",
        issuer: "Oturum açma hizmeti",
        path: "Bu hizmetin sayfası",
        // safety: the name of the program is a claim of the far machine
        client: "O makineye göre program (client ID)",
        scope: "İstediği erişim",
        noScope: "belirtilmedi",
        resource: "Bu hizmete erişim",
        details: "Bu erişimin ayrıntıları",
        prompt: "Bu hizmet nasıl sormalı (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let turkish = LoopbackPhrases(
        signedIn: Message(
            heading: "Oturum açtınız",
            text: "Bu sekmeyi kapatıp uygulamanıza dönebilirsiniz."),
        failed: Message(
            heading: "Oturum açmadınız",
            text: "Uygulamanıza dönün: nedenini söyler ve orada yeniden deneyebilirsiniz."),
        taken: Message(
            heading: "Bu oturum açma sona erdi",
            text: "Daha önce tamamlandı veya sonlandırıldı. Bu sekmeyi kapatıp uygulamanıza dönebilirsiniz."),
        tooLate: Message(
            heading: "Bu oturum açmayı bekleyen bir uygulama yok",
            text: "Çok uzun sürdü veya iptal edildi. Uygulamanızdan yeniden başlayın."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "Bu oturum açmayı uygulamanız başlatmadı",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Bununla hiçbir şey yapılmadı. Sizden istense bile bu sayfanın adresini kopyalamayın ve kimseye "
                + "göndermeyin."),
        notHere: Message(
            heading: "Bu adreste bir şey yok",
            text: "Bu bilgisayardaki bir uygulama, başka bir adreste oturum açılmasını bekliyor."),
        notOwnUser: Message(
            heading: "Bu sayfa başka bir kullanıcı için",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "Bu bilgisayardaki bir uygulama kendi kullanıcısının tarayıcısını bekliyor ve bunun o tarayıcı "
                + "olduğu kesin değil. Hiçbir şey yapılmadı."))
}

extension DesktopPhrases {
    fileprivate static let turkish = DesktopPhrases(
        appsLeftOut: Message(
            heading: "Bir uygulama oturumunuzu açamıyor",
            text: "Ayarlarının bulunduğu dosyada bir hata var ve dosya kullanılmıyor. `switchyard doctor "
                + "--desktop` hangi dosya olduğunu söyler."),
        noApp: Message(
            heading: "Bu oturum açma hiçbir uygulamaya ait değil",
            text: "Bu oturumdaki hiçbir uygulama, tarayıcınızın gönderildiği adrese sahip değil. "
                // safety: do not give the address to anybody
                + "Bu adresi kimseye vermeyin."),
        notAwaited: Message(
            heading: "Hiçbir uygulama bu oturum açmayı beklemiyor",
            text: "Bu oturumdaki bir uygulama tarafından başlatılmadı ya da o uygulama artık beklemiyor. "
                // safety: do not give the address of the page to anybody
                + "Sayfanın adresini kimseye vermeyin. "
                + "Oturum açmak için uygulamanızdan yeniden başlayın."),
        used: Message(
            heading: "Bu oturum açma zaten kullanıldı",
            text: "Uygulamanıza dönün. Hâlâ bekliyorsa oradan yeniden başlayın."),
        expired: Message(
            heading: "Bu oturum açma çok uzun sürdü",
            text: "Uygulamanızdan yeniden başlayın."),
        appIsGone: Message(
            heading: "Uygulamanıza ulaşılamıyor",
            text: "Uygulamayı başlatın ve oradan yeniden oturum açın."),
        outOfReach: Message(
            heading: "Oturum açmanız teslim edilemedi",
            text: "Onu uygulamanıza götüren program başlamıyor. `switchyard doctor` nedenini söyler. Ardından "
                + "uygulamanızdan yeniden başlayın."),
        keyringLocked: Message(
            heading: "Oturum açmanız henüz kaydedilmedi",
            text: "Anahtarlık kilitli. Kilidini açarsanız oturum açma kendiliğinden kaydedilir. Açmazsanız bir "
                + "sonraki oturumda yeniden oturum açmanız gerekir."),
        signInNeeded: Message(
            heading: "Bir program oturum açmanızı bekliyor",
            text: "Aşağıdaki sunucuyu sizin adınıza kullanmak istiyor. "
                // safety: sign in only if you expect it
                + "Yalnızca bunu bekliyorsanız adresi tarayıcınızda açın ve oturum açın."),
        notSaved: Message(
            heading: "Oturum açmanız henüz kaydedilmedi",
            text: "Bir şey buna engel oluyor, örneğin dolu bir disk; `switchyard doctor` belki ne olduğunu "
                + "söyler. Engel kalkınca oturum açma kendiliğinden kaydedilir. Kalkmazsa bir sonraki "
                + "oturumda yeniden oturum açmanız gerekir."))
}
