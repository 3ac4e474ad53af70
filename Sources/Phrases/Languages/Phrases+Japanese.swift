internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let japanese = Phrases(
        signIn: .japanese, endings: .japanese, question: .japanese, facts: .japanese, frame: .japanese,
        notices: .japanese, refusals: .japanese, farMachine: .japanese, loopback: .japanese,
        desktop: .japanese)
}

extension SignInPhrases {
    fileprivate static let japanese = SignInPhrases(
        collected: Notice(
            heading: "サインインしました",
            explanation: "\(.app) がサインインの結果を受け取りました。",
            next: "このタブを閉じて \(.app) に戻ってください。"),
        waitingForApp: Notice(
            heading: "もうすぐ完了します",
            explanation: "サインインは成功しましたが、\(.app) がまだ結果を受け取っていません。",
            next: "\(.app) に戻り、まだ動作していることを確認してください。このタブでの操作はもう必要ありません。"),
        redeeming: Notice(
            heading: "サインインを完了しています",
            explanation: "\(.app) へのサインインを完了しています。",
            next: "数秒かかります。"),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "ご自分で起動したプログラムに、このコードを入力してください",
            explanation: "そのプログラムにこのコードを入力すると、\(.app) へのサインインがすぐに続行されます。",
            // safety: type it only into a program that you started yourself
            next: "コードは、ご自分で起動したプログラム（アプリ、ターミナル、ご自分のコーディングエージェント）だけに入力してください。"
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "電話、メール、メッセージなどで、このコードを尋ねられることは決してありません。尋ねてくる人は、あなたのアカウントに侵入しようとしています。"),
        returning: Notice(
            heading: "アプリに戻ります",
            explanation: "\(.app) に戻ります。サインインはそこで完了します。",
            next: "何も起こらない場合は、このリンクを使ってください。"),
        openApp: "\(.app) に戻る",
        delivered: Notice(
            heading: "アプリで続けてください",
            explanation: "\(.app) がサインインサービスからの応答を受け取りました。",
            next: "このタブを閉じて \(.app) に戻ってください。サインインの結果はそこに表示されます。"),
        delivering: Notice(
            heading: "アプリに接続しています",
            explanation: "サインインサービスからの応答を \(.app) に送っています。",
            next: "数秒かかります。\(.app) の起動が必要な場合は、もう少しかかります。"),
        undelivered: Notice(
            heading: "アプリに接続できませんでした",
            explanation: "\(.app) はサインインサービスからの応答を受け取りませんでした。ここで動作していないか、応答していません。",
            next: "\(.app) を開き、そこでもう一度サインインを始めてください。同じことが続く場合は、アプリの担当者に相談してください。"),
        passedOn: Notice(
            heading: "アプリで続けてください",
            explanation: "ブラウザーは、サインインサービスからの応答を持って、このコンピューター上の \(.app) に移動しました。",
            next: "代わりにエラーが表示された場合、\(.app) はこのサインインをもう待っていません。そこからやり直してください。"))
}

extension EndingPhrases {
    fileprivate static let japanese = EndingPhrases(
        heading: "サインインしていません",
        accessDenied: Ending(
            "\(.app) へのサインインは、あなた自身または組織のルールによって拒否されました。",
            "もう一度試すには、このタブを閉じて \(.app) から始めてください。"),
        canceled: Ending(
            "\(.app) へのサインインはキャンセルされました。",
            "このタブは閉じてもかまいません。やはりサインインする場合は、\(.app) からやり直してください。"),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "ご自分ではないとのことでしたので、\(.app) へのサインインを終了しました。アクセスできた人はいません。",
            // safety: if somebody sent you the link, tell your IT department
            "このタブは閉じてもかまいません。リンクが誰かから送られてきたのなら、IT 部門に知らせてください。"),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "間違ったコードが何度も入力されたため、\(.app) へのサインインを終了しました。アクセスできた人はいません。",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "ご自分で入力した場合は、\(.app) からやり直してください。そうでない場合は、ほかの誰かがあなたのアカウントに侵入しようとしたのかもしれません。IT 部門に知らせてください。"),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "コードが時間内に入力されなかったため、\(.app) へのサインインを終了しました。アクセスできた人はいません。",
            "このタブを閉じて、\(.app) からやり直してください。"),
        codeNotTaken: Ending(
            "コードの入力が遅すぎたため、サインインサービスは \(.app) へのサインインをもう受け付けません。",
            "\(.app) からやり直し、コードが表示されたらすぐに入力してください。"),
        declinedScopes: Ending(
            "\(.app) に必要な許可がすべては与えられなかったため、サインインは完了しませんでした。",
            "\(.app) からやり直し、求められたものを許可してください。許可できない場合は、IT 部門に相談してください。"),
        expired: Ending(
            "\(.app) へのサインインは時間がかかりすぎたため、期限切れになりました。",
            "このタブを閉じて、\(.app) からやり直してください。"),
        interactionRequired: Ending(
            "\(.app) を続けるには、サインインサービスであなたの操作がもう 1 つ必要です。",
            "このタブを閉じて、\(.app) からやり直してください。"),
        protectionPolicyRequired: Ending(
            "あなたの組織では、組織が管理するデバイスまたはアプリでのみ \(.app) の使用が許可されています。",
            "この条件を満たす方法を IT 部門に尋ねてから、\(.app) からやり直してください。"),
        issuerUnavailable: Ending(
            "サインインサービスに問題が起きていて、\(.app) へのサインインは完了しませんでした。",
            "数分待ってから、\(.app) からやり直してください。"),
        issuerRefused: Ending(
            "サインインサービスは \(.app) からの要求を受け付けませんでした。",
            "\(.app) からやり直してください。同じことが続く場合は、アプリの担当者に相談してください。"),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "サインインサービスからの応答を確認できなかったため、\(.app) には渡されませんでした。",
            "\(.app) からやり直してください。同じことが続く場合は、アプリの担当者に相談してください。"),
        internalError: Ending(
            "ここで問題が起きたため、\(.app) へのサインインは完了しませんでした。",
            "\(.app) からやり直してください。同じことが続く場合は、アプリの担当者に相談してください。"))
}

extension QuestionPhrases {
    fileprivate static let japanese = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "このサインインは、ご自分で始めたものですか？",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "アドレス \(.address) のプログラムが、\(.app) へのサインインを求めています。お使いのブラウザーは別のアドレスにあります。",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "このページを表示しているサーバー上のプログラムが、\(.app) へのサインインを求めています。お使いのブラウザーは別の場所にあります。",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "あるプログラムが、\(.app) へのサインインを求めています。そのプログラムがどこにあるかはわかりません。",
        // safety: if you did not begin this yourself, do not continue
        warning: "ご自分で始めたものでない場合は、続行しないでください。"
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "このリンクが誰かから送られてきたのなら、それは攻撃です。相手はあなたのアカウントに侵入しようとしています。",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "許可するアクセスを得るのは、プログラムではなく、\(.host) の運営者です。",
        // safety: the button says that somebody else began this sign-in
        notMe: "私ではありません",
        proceed: "サインインを続ける")
}

extension FactPhrases {
    fileprivate static let japanese = FactPhrases(
        askedFrom: "要求元",
        thisMachine: "このページを表示しているサーバー",
        // safety: the place is not known
        unknownPlace: "不明な場所",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "このブラウザーと同じアドレス",
        askedAt: "要求された時刻",
        // safety: only the program says so
        hostClaim: "プログラムが名乗っている実行場所",
        resource: "アクセス先",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "応答の内容（誰も確認していません）",
        reference: "参照番号（問い合わせ用）")
}

extension FramePhrases {
    fileprivate static let japanese = FramePhrases(
        updatesItself: "何か変化があると、このページに自動的に表示されます。",
        reloadToUpdate: "変化があったかどうかを見るには、このページを再読み込みしてください。",
        reload: "再読み込み",
        changed: "変化がありました。ページを再読み込みしています。",
        unreachable: "現在このサービスに接続できません。このページは接続を試み続けます。",
        stoppedLooking: "このページはもう自動的に変化を確認していません。変化があったかどうかを見るには、再読み込みしてください。",
        help: "ヘルプ",
        privacy: "プライバシー")
}

extension NoticePhrases {
    fileprivate static let japanese = NoticePhrases(
        neutral: Notice(
            heading: "ここに表示するものはありません",
            explanation: "サインインの結果を見ることができるのは、サインインしたブラウザーだけです。",
            next: "サインインの途中だった場合は、アプリに戻ってください。結果はアプリでわかります。このタブは閉じてもかまいません。"),
        startedElsewhere: Notice(
            heading: "このサインインは別のブラウザーで始められました",
            // safety: it can only be finished in the browser where it was started
            explanation: "サインインは、始めた場所でしか完了できません。"
                // safety: the response that this browser brought is accepted no more, in no browser
                + "サインインサービスがこのブラウザーに送ったものは、もう受け付けられません。始めた場所でも同じです。",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "このサインインのリンクが誰かから送られてきたのなら、攻撃かもしれません。IT 部門に知らせてください。ご自分でサインインする場合は、アプリから始めてください。"),
        sendingFragment: Notice(
            heading: "サインインを完了しています",
            explanation: "サインインサービスからの応答をアプリに送っています。",
            next: "数秒かかります。"),
        fragmentNeedsScript: Notice(
            heading: "サインインはまだ完了していません",
            explanation: "サインインサービスからの応答を渡すために、このページではスクリプトが必要です。このページでスクリプトを許可して再読み込みするか、アプリからやり直してください。",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "このページのアドレスは、頼まれてもコピーしたり誰かに送ったりしないでください。"))
}

private let startAgain = "このタブを閉じて、アプリからやり直してください。"
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "このページのアドレスは、頼まれてもコピーしたり誰かに送ったりしないでください。サインインする場合は、このタブを閉じて、アプリからやり直してください。"

extension RefusalPhrases {
    fileprivate static let japanese = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "このサインインはあなたのアプリが始めたものではありません",
            explanation: "これを待っているアプリがないため、何も行われませんでした。",
            next: keepAddress),
        expired: Notice(
            heading: "このサインインは期限切れです",
            explanation: "時間がかかりすぎたため、アプリはもう待っていません。",
            next: startAgain),
        ended: Notice(
            heading: "このサインインは終わっています",
            explanation: "すでに完了または終了していて、そのリンクは二度と使えません。",
            next: "まだサインインする場合は、このタブを閉じて、アプリからやり直してください。"),
        wrongRedirectURI: Notice(
            heading: "このサインインは間違ったアドレスに届きました",
            explanation: "別のアプリのものであるため、何も行われませんでした。",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "この応答は間違ったサインインサービスから届きました",
            explanation: "アプリが問い合わせたサービスからのものではないため、何も行われませんでした。",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "この応答は間違った方法で届きました",
            explanation: "アプリは別の形式を求めていたため、何も行われませんでした。",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "この応答は確認できませんでした",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "あなたのサインインサービスからのものだという証明がないため、何も行われませんでした。",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "このサインインは読み取れません",
            explanation: "応答の一部が 2 回現れたため、何も行われませんでした。",
            next: keepAddress),
        missingCode: Notice(
            heading: "このサインインは不完全です",
            explanation: "応答には、サインインが成功したとも失敗したとも書かれていません。",
            next: startAgain),
        malformed: Notice(
            heading: "このサインインは読み取れません",
            explanation: "応答が壊れているか矛盾しているため、何も行われませんでした。",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "このサインインは別のブラウザーで始められました",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "始めた場所でしか完了できないため、何も行われませんでした。",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "このサインインはすでに使われました",
            // safety: it came again with another code, which was not accepted
            explanation: "別のコードでもう一度届きましたが、そのコードは受け付けられませんでした。",
            next: keepAddress),
        notFound: Notice(
            heading: "このアドレスには何もありません",
            explanation: "アドレスが間違っているか、古い可能性があります。",
            next: "サインインの途中だった場合は、このタブを閉じて、アプリからやり直してください。"),
        wrongForm: Notice(
            heading: "この要求は受け付けられませんでした",
            explanation: "このアドレスでは受け付けられない形式で送られました。",
            next: startAgain),
        tooLarge: Notice(
            heading: "この要求は大きすぎます",
            explanation: "どのサインインよりも長いため、読み取られませんでした。",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "要求が多すぎます",
            explanation: "お使いのネットワークから、今処理できる数を超える要求が届きました。",
            next: "1 分待ってから、このページを再読み込みしてください。"),
        prefetch: Notice(
            heading: "まだ何も行われていません",
            explanation: "ブラウザーまたは別のページがこのアドレスを先に読み込みましたが、それだけでは誰もサインインしたことになりません。",
            next: "続けるには、このページを再読み込みしてください。"),
        unavailable: Notice(
            heading: "現在サインインできません",
            explanation: "このサービスは現在応答できません。",
            next: "1 分待ってから、このページを再読み込みしてください。"))
}

extension FarMachinePhrases {
    fileprivate static let japanese = FarMachinePhrases(
        consent: .japanese,
        refused: Message(
            heading: "何も開かれませんでした",
            // safety: the program on the other machine gets nothing
            text: "もう一方のマシンのプログラムには何も渡されません。このタブは閉じてもかまいません。"),
        ended: Message(
            heading: "このサインインは終わりました",
            text: "時間がかかりすぎたか、プログラムがもうありません。そのプログラムでやり直してください。"),
        alreadyDelivered: Message(
            heading: "このサインインはすでに渡されました",
            text: "このタブを閉じて、プログラムに戻ってください。"),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "このサインインはあなたが始めたものではありません",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "何も渡されていません。このページのアドレスを誰にも教えないでください。"),
        notHere: Message(
            heading: "ここには何もありません",
            text: "別のマシンのプログラムが、別のアドレスでサインインを待っています。"),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "これはあなたが求めたものではありません",
            // safety: a page asked in the background, and nothing was passed on
            text: "あるページがバックグラウンドで求めたものです。何も渡されていません。"),
        toolGone: Message(
            heading: "プログラムはもう待っていません",
            text: "サインインが戻る前に、終了したか待つのをやめました。もう一度起動してください。"),
        toolResponseUnusable: Message(
            heading: "サインインは渡されました",
            text: "プログラムの応答はここでは表示できません。サインインの結果を見るには、プログラムに戻ってください。"))
}

extension ConsentPhrases {
    fileprivate static let japanese = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "このサインインは、ご自分でたった今始めたものですか？",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "\(.host) 上のプログラムが、このブラウザーに \(.issuer) へのサインインを求めています。",
        // safety: continue only if you began this there a moment ago
        warning: "たった今そこでご自分で始めた場合にだけ続けてください。"
            // safety: the people who control HOST get everything that you are about to allow
            + "これから許可するものは、\(.host) を制御している人の手に渡ります。",
        host: "要求元のマシン",
        issuer: "サインインサービス",
        path: "サービスのページ",
        // safety: the name of the program is a claim of the far machine
        client: "プログラム（client ID、要求元のマシンによる）",
        scope: "求めているアクセス",
        noScope: "指定なし",
        resource: "このサービスへのアクセス",
        details: "アクセスの詳細",
        prompt: "サービスの尋ね方（prompt）")
}

extension LoopbackPhrases {
    fileprivate static let japanese = LoopbackPhrases(
        signedIn: Message(
            heading: "サインインしました",
            text: "このタブを閉じて、アプリに戻ってください。"),
        failed: Message(
            heading: "サインインしていません",
            text: "アプリに戻ってください。理由が表示され、そこでもう一度試すことができます。"),
        taken: Message(
            heading: "このサインインは終わっています",
            text: "すでに完了または終了しています。このタブを閉じて、アプリに戻ってください。"),
        tooLate: Message(
            heading: "このサインインを待っているアプリはありません",
            text: "時間がかかりすぎたか、キャンセルされました。アプリからやり直してください。"),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "このサインインはあなたのアプリが始めたものではありません",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "何も行われませんでした。このページのアドレスは、頼まれてもコピーしたり誰かに送ったりしないでください。"),
        notHere: Message(
            heading: "このアドレスには何もありません",
            text: "このコンピューターのアプリが、別のアドレスでサインインを待っています。"),
        notOwnUser: Message(
            heading: "このページは別のユーザーのものです",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "このコンピューターのアプリは、自分のユーザーのブラウザーを待っています。これがそのブラウザーかどうかは確かではありません。何も行われませんでした。"))
}

extension DesktopPhrases {
    fileprivate static let japanese = DesktopPhrases(
        appsLeftOut: Message(
            heading: "アプリからサインインできません",
            text: "アプリの設定ファイルに誤りがあり、使用されていません。どのファイルかは `switchyard doctor --desktop` で確認できます。"),
        noApp: Message(
            heading: "このサインインはどのアプリのものでもありません",
            text: "ブラウザーが開こうとしたアドレスを持つアプリは、このセッションにありません。"
                // safety: do not give the address to anybody
                + "このアドレスを誰にも渡さないでください。"),
        notAwaited: Message(
            heading: "このサインインを待っているアプリはありません",
            text: "このセッションのアプリが始めたものではないか、そのアプリがもう待っていません。"
                // safety: do not give the address of the page to anybody
                + "ページのアドレスを誰にも渡さないでください。"
                + "サインインするには、アプリからもう一度始めてください。"),
        used: Message(
            heading: "このサインインはすでに使われました",
            text: "アプリに戻ってください。まだ待っている場合は、そこからもう一度始めてください。"),
        expired: Message(
            heading: "このサインインは時間がかかりすぎました",
            text: "アプリからもう一度始めてください。"),
        appIsGone: Message(
            heading: "アプリに接続できません",
            text: "アプリを起動し、そこからもう一度サインインしてください。"),
        outOfReach: Message(
            heading: "サインインを渡せませんでした",
            text: "サインインをアプリに渡すプログラムが起動しません。理由は `switchyard doctor` で確認できます。その後、アプリからもう一度始めてください。"),
        keyringLocked: Message(
            heading: "サインインはまだ保存されていません",
            text: "キーリングがロックされています。ロックを解除すると、サインインは自動的に保存されます。解除しない場合は、次のセッションでもう一度サインインが必要です。"),
        signInNeeded: Message(
            heading: "プログラムがサインインを待っています",
            text: "下に示すサーバーをあなたの代わりに使おうとしています。"
                // safety: sign in only if you expect it
                + "心当たりがある場合に限り、ブラウザーでアドレスを開いてサインインしてください。"),
        notSaved: Message(
            heading: "サインインはまだ保存されていません",
            text: "ディスクがいっぱいであるなど、何かが妨げています。`switchyard doctor` で原因がわかることがあります。解消される"
                + "と、サインインは自動的に保存されます。解消されない場合は、次のセッションでもう一度サインインが必要です。"))
}
