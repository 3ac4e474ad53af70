internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let simplifiedChinese = Phrases(
        signIn: .simplifiedChinese, endings: .simplifiedChinese, question: .simplifiedChinese,
        facts: .simplifiedChinese, frame: .simplifiedChinese, notices: .simplifiedChinese, refusals: .simplifiedChinese,
        farMachine: .simplifiedChinese, loopback: .simplifiedChinese,
        desktop: .simplifiedChinese)
}

extension SignInPhrases {
    fileprivate static let simplifiedChinese = SignInPhrases(
        collected: Notice(
            heading: "您已登录",
            explanation: "\(.app) 已收到您的登录结果。",
            next: "您可以关闭此标签页，返回 \(.app)。"),
        waitingForApp: Notice(
            heading: "即将完成",
            explanation: "登录成功，但 \(.app) 尚未取走结果。",
            next: "请返回 \(.app)，检查它是否仍在运行。它不再需要此标签页。"),
        redeeming: Notice(
            heading: "正在完成登录",
            explanation: "正在完成您对 \(.app) 的登录。",
            next: "这需要几秒钟。"),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "请在您启动的程序中输入此代码",
            explanation: "一旦该程序得到此代码，您对 \(.app) 的登录就会继续：",
            // safety: type it only into a program that you started yourself
            next: "只能在您自己启动的程序中输入：应用、终端或您自己的编程智能体。"
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "没有人会向您索要此代码：不会有电话、电子邮件或消息来索要。凡是索要的人，都是想进入您的账号。"),
        returning: Notice(
            heading: "正在返回您的应用",
            explanation: "您正在返回 \(.app)，登录将在那里完成。",
            next: "如果没有反应，请使用此链接："),
        openApp: "返回 \(.app)",
        delivered: Notice(
            heading: "请在您的应用中继续",
            explanation: "\(.app) 已收到您的登录服务的响应。",
            next: "您可以关闭此标签页，返回 \(.app) 查看登录结果。"),
        delivering: Notice(
            heading: "正在联系您的应用",
            explanation: "您的登录服务的响应正在发送给 \(.app)。",
            next: "这需要几秒钟；如果 \(.app) 需要先启动，则会更久。"),
        undelivered: Notice(
            heading: "无法联系您的应用",
            explanation: "\(.app) 没有接收您的登录服务的响应：它没有在此运行，或者没有应答。",
            next: "请打开 \(.app)，在那里重新开始登录。如果再次发生这种情况，请向负责该应用的人员求助。"),
        passedOn: Notice(
            heading: "请在您的应用中继续",
            explanation: "您的浏览器已带着您的登录服务的响应，转到此计算机上的 \(.app)。",
            next: "如果显示的是错误，则 \(.app) 已不再等待此次登录：请从那里重新开始。"))
}

extension EndingPhrases {
    fileprivate static let simplifiedChinese = EndingPhrases(
        heading: "您未登录",
        accessDenied: Ending(
            "对 \(.app) 的登录被拒绝，原因是您拒绝了，或者您的组织有规定。",
            "要重试，请关闭此标签页，从 \(.app) 开始。"),
        canceled: Ending(
            "对 \(.app) 的登录已取消。",
            "您可以关闭此标签页。如果仍要登录，请从 \(.app) 重新开始。"),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "因为您表示不是您本人，对 \(.app) 的登录已终止。没有人获得访问权限。",
            // safety: if somebody sent you the link, tell your IT department
            "您可以关闭此标签页。如果是有人把链接发给您，请告知您的 IT 部门。"),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "输入错误代码的次数过多，对 \(.app) 的登录已终止。没有人获得访问权限。",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "如果是您本人，请从 \(.app) 重新开始。如果不是，可能有其他人试图进入您的账号：请告知您的 IT 部门。"),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "未及时输入代码，对 \(.app) 的登录已终止。没有人获得访问权限。",
            "请关闭此标签页，从 \(.app) 重新开始。"),
        codeNotTaken: Ending(
            "代码输入得太晚，您的登录服务不再接受对 \(.app) 的登录。",
            "请从 \(.app) 重新开始，并在看到代码后立即输入。"),
        declinedScopes: Ending(
            "\(.app) 没有获得所需的全部许可，因此登录未完成。",
            "请从 \(.app) 重新开始，并允许它所请求的内容。如果您无法允许，请询问您的 IT 部门。"),
        expired: Ending(
            "对 \(.app) 的登录耗时过长，已过期。",
            "请关闭此标签页，从 \(.app) 重新开始。"),
        interactionRequired: Ending(
            "您的登录服务需要您再完成一步，\(.app) 才能继续。",
            "请关闭此标签页，从 \(.app) 重新开始。"),
        protectionPolicyRequired: Ending(
            "您的组织只允许在其管理的设备或应用中使用 \(.app)。",
            "请向您的 IT 部门询问如何满足此要求，然后从 \(.app) 重新开始。"),
        issuerUnavailable: Ending(
            "您的登录服务出现问题，未能完成对 \(.app) 的登录。",
            "请等待几分钟，然后从 \(.app) 重新开始。"),
        issuerRefused: Ending(
            "您的登录服务没有接受 \(.app) 的请求。",
            "请从 \(.app) 重新开始。如果再次发生这种情况，请向负责该应用的人员求助。"),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "无法核实您的登录服务的响应，因此 \(.app) 没有收到该响应。",
            "请从 \(.app) 重新开始。如果再次发生这种情况，请向负责该应用的人员求助。"),
        internalError: Ending(
            "此处发生错误，对 \(.app) 的登录未完成。",
            "请从 \(.app) 重新开始。如果再次发生这种情况，请向负责该应用的人员求助。"))
}

extension QuestionPhrases {
    fileprivate static let simplifiedChinese = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "是您发起了此次登录吗？",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "地址 \(.address) 上的一个程序请您登录 \(.app)。您的浏览器在另一个地址。",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "显示此页面的服务器上的一个程序请您登录 \(.app)。您的浏览器在别处。",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "一个程序请您登录 \(.app)。无法得知该程序在哪里。",
        // safety: if you did not begin this yourself, do not continue
        warning: "如果不是您自己发起的，请不要继续。"
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "如果是有人把此链接发给您，那就是攻击：对方想进入您的账号。",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "得到您所允许的访问权限的是 \(.host) 的运营者，而不是该程序。",
        // safety: the button says that somebody else began this sign-in
        notMe: "不是我",
        proceed: "继续登录")
}

extension FactPhrases {
    fileprivate static let simplifiedChinese = FactPhrases(
        askedFrom: "请求来自",
        thisMachine: "显示此页面的服务器",
        // safety: the place is not known
        unknownPlace: "未知位置",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "与此浏览器的地址相同",
        askedAt: "请求时间",
        // safety: only the program says so
        hostClaim: "程序声称运行于",
        resource: "访问对象",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "响应中说（无人核实）",
        reference: "参考编号（求助时使用）")
}

extension FramePhrases {
    fileprivate static let simplifiedChinese = FramePhrases(
        updatesItself: "有变化时，此页面会自动显示。",
        reloadToUpdate: "请重新加载此页面，查看是否有变化。",
        reload: "重新加载",
        changed: "有变化：正在重新加载页面。",
        unreachable: "目前无法连接此服务。此页面会继续尝试。",
        stoppedLooking: "此页面不再自动检查变化。请重新加载，查看是否有变化。",
        help: "帮助",
        privacy: "隐私")
}

extension NoticePhrases {
    fileprivate static let simplifiedChinese = NoticePhrases(
        neutral: Notice(
            heading: "此处没有可显示的内容",
            explanation: "只有用于登录的浏览器才能看到登录结果。",
            next: "如果您正在登录，请返回您的应用：它知道结果。您可以关闭此标签页。"),
        startedElsewhere: Notice(
            heading: "此次登录是在另一个浏览器中发起的",
            // safety: it can only be finished in the browser where it was started
            explanation: "只能在发起的地方完成登录。"
                // safety: the response that this browser brought is accepted no more, in no browser
                + "您的登录服务发送到此浏览器的内容不再被接受，在发起的地方也不行。",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "如果是有人把此次登录的链接发给您，这可能是攻击：请告知您的 IT 部门。如果您自己要登录，请从您的应用开始。"),
        sendingFragment: Notice(
            heading: "正在完成登录",
            explanation: "您的登录服务的响应正在发送给您的应用。",
            next: "这需要几秒钟。"),
        fragmentNeedsScript: Notice(
            heading: "您的登录尚未完成",
            explanation: "此页面需要脚本才能传递您的登录服务的响应。请允许此页面运行脚本并重新加载，或从您的应用重新开始。",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "不要复制此页面的地址，也不要把它发给任何人，即使有人要求您这样做。"))
}

private let startAgain = "请关闭此标签页，从您的应用重新开始。"
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "不要复制此页面的地址，也不要把它发给任何人，即使有人要求您这样做。如果您要登录，请关闭此标签页，从您的应用重新开始。"

extension RefusalPhrases {
    fileprivate static let simplifiedChinese = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "此次登录不是由您的应用发起的",
            explanation: "没有应用在等待它，因此未作任何处理。",
            next: keepAddress),
        expired: Notice(
            heading: "此次登录已过期",
            explanation: "耗时过长，您的应用已不再等待。",
            next: startAgain),
        ended: Notice(
            heading: "此次登录已结束",
            explanation: "它先前已完成或终止，其链接不能再次使用。",
            next: "如果您仍要登录，请关闭此标签页，从您的应用重新开始。"),
        wrongRedirectURI: Notice(
            heading: "此次登录到达了错误的地址",
            explanation: "它属于另一个应用，因此未作任何处理。",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "此响应来自错误的登录服务",
            explanation: "它不是来自您的应用所请求的服务，因此未作任何处理。",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "此响应的到达方式不正确",
            explanation: "您的应用要求的是另一种形式，因此未作任何处理。",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "无法核实此响应",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "它不能证明自己来自您的登录服务，因此未作任何处理。",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "无法读取此次登录",
            explanation: "响应的一部分出现了两次，因此未作任何处理。",
            next: keepAddress),
        missingCode: Notice(
            heading: "此次登录不完整",
            explanation: "响应既没有说登录成功，也没有说登录失败。",
            next: startAgain),
        malformed: Notice(
            heading: "无法读取此次登录",
            explanation: "响应已损坏或自相矛盾，因此未作任何处理。",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "此次登录是在另一个浏览器中发起的",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "只能在发起的地方完成登录，因此未作任何处理。",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "此次登录已被使用过",
            // safety: it came again with another code, which was not accepted
            explanation: "它带着另一个代码再次到达，该代码未被接受。",
            next: keepAddress),
        notFound: Notice(
            heading: "此地址没有任何内容",
            explanation: "地址可能有误或已过时。",
            next: "如果您正在登录，请关闭此标签页，从您的应用重新开始。"),
        wrongForm: Notice(
            heading: "此请求未被接受",
            explanation: "它的发送形式不是此地址所接受的。",
            next: startAgain),
        tooLarge: Notice(
            heading: "此请求过大",
            explanation: "它比任何登录都长，因此未被读取。",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "请求过多",
            explanation: "来自您网络的请求超出了目前能够应答的数量。",
            next: "请等待一分钟，然后重新加载此页面。"),
        prefetch: Notice(
            heading: "尚未发生任何事情",
            explanation: "您的浏览器或另一个页面预先加载了此地址，这不会让任何人登录。",
            next: "要继续，请重新加载此页面。"),
        unavailable: Notice(
            heading: "目前无法登录",
            explanation: "此服务暂时无法应答。",
            next: "请等待一分钟，然后重新加载此页面。"))
}

extension FarMachinePhrases {
    fileprivate static let simplifiedChinese = FarMachinePhrases(
        consent: .simplifiedChinese,
        refused: Message(
            heading: "没有打开任何内容",
            // safety: the program on the other machine gets nothing
            text: "另一台计算机上的程序得不到任何内容。您可以关闭此标签页。"),
        ended: Message(
            heading: "此次登录已结束",
            text: "耗时过长，或者其程序已不在。请在该程序中重新开始。"),
        alreadyDelivered: Message(
            heading: "此次登录已经传递过了",
            text: "您可以关闭此标签页，返回您的程序。"),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "您没有发起此次登录",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "没有传递任何内容。不要把此页面的地址给任何人。"),
        notHere: Message(
            heading: "此处没有任何内容",
            text: "另一台计算机上的程序正在另一个地址等待登录。"),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "这不是您请求的",
            // safety: a page asked in the background, and nothing was passed on
            text: "是某个页面在后台请求的。没有传递任何内容。"),
        toolGone: Message(
            heading: "程序已不再等待",
            text: "在登录返回之前，它已结束或停止等待。请重新启动它。"),
        toolResponseUnusable: Message(
            heading: "登录已传递",
            text: "程序的应答无法在此显示。请返回该程序查看登录结果。"))
}

extension ConsentPhrases {
    fileprivate static let simplifiedChinese = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "是您刚刚发起了此次登录吗？",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "\(.host) 上的一个程序请求此浏览器登录 \(.issuer)。",
        // safety: continue only if you began this there a moment ago
        warning: "只有您刚刚在那里发起了此次登录，才可以继续："
            // safety: the people who control HOST get everything that you are about to allow
            + "控制 \(.host) 的人将得到您即将允许的内容。",
        host: "发出请求的计算机",
        issuer: "登录服务",
        path: "该服务的页面",
        // safety: the name of the program is a claim of the far machine
        client: "程序 (client ID)，据该计算机所称",
        scope: "请求的访问权限",
        noScope: "未说明",
        resource: "对此服务的访问权限",
        details: "该访问权限的详情",
        prompt: "该服务应如何询问 (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let simplifiedChinese = LoopbackPhrases(
        signedIn: Message(
            heading: "您已登录",
            text: "您可以关闭此标签页，返回您的应用。"),
        failed: Message(
            heading: "您未登录",
            text: "请返回您的应用：它会说明原因，您可以在那里重试。"),
        taken: Message(
            heading: "此次登录已结束",
            text: "它先前已完成或终止。您可以关闭此标签页，返回您的应用。"),
        tooLate: Message(
            heading: "没有应用在等待此次登录",
            text: "耗时过长或已取消。请从您的应用重新开始。"),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "此次登录不是由您的应用发起的",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "未对它作任何处理。不要复制此页面的地址，也不要把它发给任何人，即使有人要求您这样做。"),
        notHere: Message(
            heading: "此地址没有任何内容",
            text: "此计算机上的一个应用正在另一个地址等待登录。"),
        notOwnUser: Message(
            heading: "此页面属于另一个用户",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "此计算机上的一个应用在等待其自己用户的浏览器，而无法确定这就是该浏览器。未作任何处理。"))
}

extension DesktopPhrases {
    fileprivate static let simplifiedChinese = DesktopPhrases(
        appsLeftOut: Message(
            heading: "有应用无法让您登录",
            text: "该应用的设置文件有错误，因此未被使用。`switchyard doctor --desktop` 会指出是哪个文件。"),
        noApp: Message(
            heading: "此次登录不属于任何应用",
            text: "本次会话中没有应用拥有浏览器被带往的地址。"
                // safety: do not give the address to anybody
                + "请勿将此地址交给任何人。"),
        notAwaited: Message(
            heading: "没有应用在等待此次登录",
            text: "它不是由本次会话中的应用发起的，或者该应用已不再等待。"
                // safety: do not give the address of the page to anybody
                + "请勿将该页面的地址交给任何人。"
                + "如需登录，请从您的应用重新开始。"),
        used: Message(
            heading: "此次登录已被使用",
            text: "请返回您的应用。如果它仍在等待，请从那里重新开始。"),
        expired: Message(
            heading: "此次登录耗时过长",
            text: "请从您的应用重新开始。"),
        appIsGone: Message(
            heading: "无法连接到您的应用",
            text: "请启动该应用，然后从那里重新登录。"),
        outOfReach: Message(
            heading: "无法转交您的登录",
            text: "负责将登录转交给应用的程序无法启动。`switchyard doctor` 会说明原因。然后请从您的应用重新开始。"),
        keyringLocked: Message(
            heading: "您的登录尚未保存",
            text: "密钥环已锁定。解锁后，登录会自动保存。否则，您需要在下次会话中重新登录。"),
        signInNeeded: Message(
            heading: "有程序正在等待您登录",
            text: "它想以您的名义使用下面的服务器。"
                // safety: sign in only if you expect it
                + "仅当这在您的预料之中时，请在浏览器中打开该地址并登录。"),
        notSaved: Message(
            heading: "您的登录尚未保存",
            text: "有问题阻碍了保存，例如磁盘已满；`switchyard doctor` 也许会说明是什么。问题解决后，登录会自动保存。否则，您需要在下次会话中重新登录。"))
}
