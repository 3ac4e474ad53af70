internal import SwitchyardPages

/// Checked: sentences on safety and buttons by translating them back; not by a native speaker.
extension Phrases {
    static let korean = Phrases(
        signIn: .korean, endings: .korean, question: .korean, facts: .korean, frame: .korean, notices: .korean,
        refusals: .korean, farMachine: .korean, loopback: .korean,
        desktop: .korean)
}

extension SignInPhrases {
    fileprivate static let korean = SignInPhrases(
        collected: Notice(
            heading: "로그인했습니다",
            explanation: "\(.app) 앱이 로그인 결과를 받았습니다.",
            next: "이 탭을 닫고 \(.app) 앱으로 돌아가셔도 됩니다."),
        waitingForApp: Notice(
            heading: "거의 끝났습니다",
            explanation: "로그인에 성공했지만 \(.app) 앱이 아직 결과를 가져가지 않았습니다.",
            next: "\(.app) 앱으로 돌아가 아직 실행 중인지 확인하세요. 이 탭은 더 이상 필요하지 않습니다."),
        redeeming: Notice(
            heading: "로그인을 마무리하는 중",
            explanation: "\(.app) 앱 로그인을 마무리하고 있습니다.",
            next: "몇 초 정도 걸립니다."),
        releaseCode: Notice(
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "직접 시작한 프로그램에 이 코드를 입력하세요",
            explanation: "그 프로그램에 이 코드를 입력하면 바로 \(.app) 앱 로그인이 계속됩니다.",
            // safety: type it only into a program that you started yourself
            next: "직접 시작한 프로그램(앱, 터미널, 본인의 코딩 에이전트)에만 입력하세요. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "누구도 전화, 이메일, 메시지 등으로 이 코드를 묻지 않습니다. 이 코드를 묻는 사람은 회원님의 계정에 침입하려는 사람입니다."),
        returning: Notice(
            heading: "앱으로 돌아가는 중",
            explanation: "\(.app) 앱으로 돌아갑니다. 로그인은 그곳에서 마무리됩니다.",
            next: "아무 일도 일어나지 않으면 이 링크를 사용하세요."),
        openApp: "\(.app) 앱으로 돌아가기",
        delivered: Notice(
            heading: "앱에서 계속하세요",
            explanation: "\(.app) 앱이 로그인 서비스의 응답을 받았습니다.",
            next: "이 탭을 닫고 \(.app) 앱으로 돌아가세요. 로그인 결과는 그곳에 표시됩니다."),
        delivering: Notice(
            heading: "앱에 연결하는 중",
            explanation: "로그인 서비스의 응답을 \(.app) 앱으로 보내고 있습니다.",
            next: "몇 초 정도 걸립니다. \(.app) 앱을 먼저 시작해야 하면 더 오래 걸립니다."),
        undelivered: Notice(
            heading: "앱에 연결할 수 없습니다",
            explanation: "\(.app) 앱이 로그인 서비스의 응답을 받지 않았습니다. 여기에서 실행 중이 아니거나 응답하지 않습니다.",
            next: "\(.app) 앱을 열고 그곳에서 로그인을 다시 시작하세요. 이 문제가 또 생기면 앱 담당자에게 도움을 요청하세요."),
        passedOn: Notice(
            heading: "앱에서 계속하세요",
            explanation: "브라우저가 로그인 서비스의 응답을 가지고 이 컴퓨터의 \(.app) 앱으로 이동했습니다.",
            next: "대신 오류가 표시되었다면 \(.app) 앱이 더 이상 이 로그인을 기다리지 않는 것입니다. 그곳에서 다시 시작하세요."))
}

extension EndingPhrases {
    fileprivate static let korean = EndingPhrases(
        heading: "로그인하지 않았습니다",
        accessDenied: Ending(
            "본인 또는 조직의 규칙에 의해 \(.app) 앱 로그인이 거부되었습니다.",
            "다시 시도하려면 이 탭을 닫고 \(.app) 앱에서 시작하세요."),
        canceled: Ending(
            "\(.app) 앱 로그인이 취소되었습니다.",
            "이 탭은 닫아도 됩니다. 그래도 로그인하려면 \(.app) 앱에서 다시 시작하세요."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "본인이 아니라고 하셨으므로 \(.app) 앱 로그인을 종료했습니다. 아무도 접근하지 못했습니다.",
            // safety: if somebody sent you the link, tell your IT department
            "이 탭은 닫아도 됩니다. 누군가 링크를 보냈다면 IT 부서에 알리세요."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "잘못된 코드가 너무 많이 입력되어 \(.app) 앱 로그인을 종료했습니다. 아무도 접근하지 못했습니다.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "본인이 입력했다면 \(.app) 앱에서 다시 시작하세요. 아니라면 다른 사람이 회원님의 계정에 침입하려 했을 수 있습니다. IT 부서에 알리세요."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "코드가 제시간에 입력되지 않아 \(.app) 앱 로그인을 종료했습니다. 아무도 접근하지 못했습니다.",
            "이 탭을 닫고 \(.app) 앱에서 다시 시작하세요."),
        codeNotTaken: Ending(
            "코드가 너무 늦게 입력되어 로그인 서비스가 \(.app) 앱 로그인을 더 이상 받아들이지 않습니다.",
            "\(.app) 앱에서 다시 시작하고 코드가 보이면 바로 입력하세요."),
        declinedScopes: Ending(
            "\(.app) 앱에 필요한 권한이 모두 허용되지 않아 로그인이 완료되지 않았습니다.",
            "\(.app) 앱에서 다시 시작하고 요청하는 내용을 허용하세요. 허용할 수 없으면 IT 부서에 문의하세요."),
        expired: Ending(
            "\(.app) 앱 로그인이 너무 오래 걸려 만료되었습니다.",
            "이 탭을 닫고 \(.app) 앱에서 다시 시작하세요."),
        interactionRequired: Ending(
            "\(.app) 앱이 계속하려면 로그인 서비스에서 한 단계를 더 거쳐야 합니다.",
            "이 탭을 닫고 \(.app) 앱에서 다시 시작하세요."),
        protectionPolicyRequired: Ending(
            "조직에서 관리하는 기기나 앱에서만 \(.app) 앱을 사용할 수 있습니다.",
            "이 조건을 충족하는 방법을 IT 부서에 문의한 다음 \(.app) 앱에서 다시 시작하세요."),
        issuerUnavailable: Ending(
            "로그인 서비스에 문제가 있어 \(.app) 앱 로그인이 완료되지 않았습니다.",
            "몇 분 기다린 다음 \(.app) 앱에서 다시 시작하세요."),
        issuerRefused: Ending(
            "로그인 서비스가 \(.app) 앱의 요청을 받아들이지 않았습니다.",
            "\(.app) 앱에서 다시 시작하세요. 이 문제가 또 생기면 앱 담당자에게 도움을 요청하세요."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "로그인 서비스의 응답을 확인할 수 없어 \(.app) 앱에 전달되지 않았습니다.",
            "\(.app) 앱에서 다시 시작하세요. 이 문제가 또 생기면 앱 담당자에게 도움을 요청하세요."),
        internalError: Ending(
            "여기에서 문제가 발생하여 \(.app) 앱 로그인이 완료되지 않았습니다.",
            "\(.app) 앱에서 다시 시작하세요. 이 문제가 또 생기면 앱 담당자에게 도움을 요청하세요."))
}

extension QuestionPhrases {
    fileprivate static let korean = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "이 로그인을 직접 시작하셨나요?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "\(.address) 주소의 프로그램이 \(.app) 앱에 로그인하라고 요청합니다. 이 브라우저는 다른 주소에 있습니다.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "이 페이지를 보여 주는 서버의 프로그램이 \(.app) 앱에 로그인하라고 요청합니다. 이 브라우저는 다른 곳에 있습니다.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "어떤 프로그램이 \(.app) 앱에 로그인하라고 요청합니다. 그 프로그램이 어디에 있는지는 알 수 없습니다.",
        // safety: if you did not begin this yourself, do not continue
        warning: "직접 시작하지 않았다면 계속하지 마세요. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "누군가 이 링크를 보냈다면 공격입니다. 상대방은 회원님의 계정에 침입하려고 합니다.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "허용한 접근 권한은 프로그램이 아니라 \(.host)의 운영자가 갖게 됩니다.",
        // safety: the button says that somebody else began this sign-in
        notMe: "제가 한 것이 아닙니다",
        proceed: "로그인 계속하기")
}

extension FactPhrases {
    fileprivate static let korean = FactPhrases(
        askedFrom: "요청한 곳",
        thisMachine: "이 페이지를 보여 주는 서버",
        // safety: the place is not known
        unknownPlace: "알 수 없는 곳",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "이 브라우저와 같은 주소",
        askedAt: "요청한 시간",
        // safety: only the program says so
        hostClaim: "프로그램이 주장하는 실행 위치",
        resource: "접근 대상",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "응답 내용(아무도 확인하지 않음)",
        reference: "도움을 요청할 때 쓰는 참조 번호")
}

extension FramePhrases {
    fileprivate static let korean = FramePhrases(
        updatesItself: "변화가 생기면 이 페이지에 저절로 표시됩니다.",
        reloadToUpdate: "바뀐 것이 있는지 보려면 이 페이지를 새로고침하세요.",
        reload: "새로고침",
        changed: "변화가 있어 페이지를 다시 불러오고 있습니다.",
        unreachable: "지금은 이 서비스에 연결할 수 없습니다. 이 페이지는 계속 시도합니다.",
        stoppedLooking: "이 페이지는 더 이상 변화를 스스로 확인하지 않습니다. 바뀐 것이 있는지 보려면 새로고침하세요.",
        help: "도움말",
        privacy: "개인정보 보호")
}

extension NoticePhrases {
    fileprivate static let korean = NoticePhrases(
        neutral: Notice(
            heading: "여기에 표시할 내용이 없습니다",
            explanation: "로그인한 브라우저에서만 로그인 결과를 볼 수 있습니다.",
            next: "로그인하던 중이었다면 앱으로 돌아가세요. 결과는 앱이 알고 있습니다. 이 탭은 닫아도 됩니다."),
        startedElsewhere: Notice(
            heading: "이 로그인은 다른 브라우저에서 시작되었습니다",
            // safety: it can only be finished in the browser where it was started
            explanation: "로그인은 시작한 곳에서만 마칠 수 있습니다. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "로그인 서비스가 이 브라우저로 보낸 것은 더 이상 받아들여지지 않습니다. 시작한 곳에서도 마찬가지입니다.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "누군가 이 로그인의 링크를 보냈다면 공격일 수 있습니다. IT 부서에 알리세요. 직접 로그인하려면 앱에서 시작하세요."),
        sendingFragment: Notice(
            heading: "로그인을 마무리하는 중",
            explanation: "로그인 서비스의 응답을 앱으로 보내고 있습니다.",
            next: "몇 초 정도 걸립니다."),
        fragmentNeedsScript: Notice(
            heading: "로그인이 아직 끝나지 않았습니다",
            explanation: "로그인 서비스의 응답을 전달하려면 이 페이지에 스크립트가 필요합니다. 이 페이지에 스크립트를 허용하고 새로고침하거나 앱에서 다시 시작하세요.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "이 페이지의 주소는 부탁을 받더라도 복사하지도, 누구에게 보내지도 마세요."))
}

private let startAgain = "이 탭을 닫고 앱에서 다시 시작하세요."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "이 페이지의 주소는 부탁을 받더라도 복사하지도, 누구에게 보내지도 마세요. 로그인하려면 이 탭을 닫고 앱에서 다시 시작하세요."

extension RefusalPhrases {
    fileprivate static let korean = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "이 로그인은 회원님의 앱이 시작한 것이 아닙니다",
            explanation: "이 로그인을 기다리는 앱이 없으므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        expired: Notice(
            heading: "이 로그인은 만료되었습니다",
            explanation: "너무 오래 걸려서 앱이 더 이상 기다리지 않습니다.",
            next: startAgain),
        ended: Notice(
            heading: "이 로그인은 끝났습니다",
            explanation: "이미 완료되었거나 종료되었으며 그 링크는 다시 사용할 수 없습니다.",
            next: "그래도 로그인하려면 이 탭을 닫고 앱에서 다시 시작하세요."),
        wrongRedirectURI: Notice(
            heading: "이 로그인이 잘못된 주소로 왔습니다",
            explanation: "다른 앱의 로그인이므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "이 응답은 잘못된 로그인 서비스에서 왔습니다",
            explanation: "앱이 요청한 서비스에서 온 것이 아니므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "이 응답은 잘못된 방식으로 왔습니다",
            explanation: "앱이 다른 형식으로 요청했으므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "이 응답을 확인할 수 없습니다",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "로그인 서비스에서 왔다는 것을 증명하지 못하므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "이 로그인을 읽을 수 없습니다",
            explanation: "응답의 일부가 두 번 나타났으므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        missingCode: Notice(
            heading: "이 로그인은 불완전합니다",
            explanation: "응답에 로그인이 성공했다는 내용도 실패했다는 내용도 없습니다.",
            next: startAgain),
        malformed: Notice(
            heading: "이 로그인을 읽을 수 없습니다",
            explanation: "응답이 손상되었거나 서로 모순되므로 아무 처리도 하지 않았습니다.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "이 로그인은 다른 브라우저에서 시작되었습니다",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "시작한 곳에서만 마칠 수 있으므로 아무 처리도 하지 않았습니다.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "이 로그인은 이미 사용되었습니다",
            // safety: it came again with another code, which was not accepted
            explanation: "다른 코드로 다시 왔으며 그 코드는 받아들여지지 않았습니다.",
            next: keepAddress),
        notFound: Notice(
            heading: "이 주소에는 아무것도 없습니다",
            explanation: "주소를 잘못 입력했거나 오래된 주소일 수 있습니다.",
            next: "로그인하던 중이었다면 이 탭을 닫고 앱에서 다시 시작하세요."),
        wrongForm: Notice(
            heading: "이 요청은 받아들여지지 않았습니다",
            explanation: "이 주소가 받지 않는 형식으로 보내졌습니다.",
            next: startAgain),
        tooLarge: Notice(
            heading: "이 요청이 너무 큽니다",
            explanation: "어떤 로그인보다도 길어서 읽지 않았습니다.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "요청이 너무 많습니다",
            explanation: "사용 중인 네트워크에서 지금 응답할 수 있는 것보다 많은 요청이 왔습니다.",
            next: "1분 기다린 다음 이 페이지를 새로고침하세요."),
        prefetch: Notice(
            heading: "아직 아무 일도 일어나지 않았습니다",
            explanation: "브라우저나 다른 페이지가 이 주소를 미리 불러왔으며, 그것으로는 아무도 로그인되지 않습니다.",
            next: "계속하려면 이 페이지를 새로고침하세요."),
        unavailable: Notice(
            heading: "지금은 로그인할 수 없습니다",
            explanation: "이 서비스는 현재 응답할 수 없습니다.",
            next: "1분 기다린 다음 이 페이지를 새로고침하세요."))
}

extension FarMachinePhrases {
    fileprivate static let korean = FarMachinePhrases(
        consent: .korean,
        refused: Message(
            heading: "아무것도 열지 않았습니다",
            // safety: the program on the other machine gets nothing
            text: "다른 컴퓨터의 프로그램은 아무것도 받지 않습니다. 이 탭은 닫아도 됩니다."),
        ended: Message(
            heading: "이 로그인은 종료되었습니다",
            text: "너무 오래 걸렸거나 프로그램이 더 이상 없습니다. 그 프로그램에서 다시 시작하세요."),
        alreadyDelivered: Message(
            heading: "이 로그인은 이미 전달되었습니다",
            text: "이 탭을 닫고 프로그램으로 돌아가셔도 됩니다."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "이 로그인은 직접 시작한 것이 아닙니다",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "아무것도 전달되지 않았습니다. 이 페이지의 주소를 누구에게도 알려 주지 마세요."),
        notHere: Message(
            heading: "여기에는 아무것도 없습니다",
            text: "다른 컴퓨터의 프로그램이 다른 주소에서 로그인을 기다리고 있습니다."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "직접 요청한 것이 아닙니다",
            // safety: a page asked in the background, and nothing was passed on
            text: "어떤 페이지가 백그라운드에서 요청했습니다. 아무것도 전달되지 않았습니다."),
        toolGone: Message(
            heading: "프로그램이 더 이상 기다리지 않습니다",
            text: "로그인이 돌아오기 전에 종료되었거나 기다리기를 멈췄습니다. 다시 시작하세요."),
        toolResponseUnusable: Message(
            heading: "로그인이 전달되었습니다",
            text: "프로그램의 응답을 여기에 표시할 수 없습니다. 로그인 결과를 보려면 프로그램으로 돌아가세요."))
}

extension ConsentPhrases {
    fileprivate static let korean = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "방금 이 로그인을 직접 시작하셨나요?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "\(.host) 컴퓨터의 프로그램이 이 브라우저에서 \(.issuer) 서비스에 로그인하라고 요청합니다.",
        // safety: continue only if you began this there a moment ago
        warning: "방금 그곳에서 직접 시작한 경우에만 계속하세요. "
            // safety: the people who control HOST get everything that you are about to allow
            + "\(.host) 컴퓨터를 제어하는 사람이 이제 허용하려는 것을 갖게 됩니다.",
        host: "요청한 컴퓨터",
        issuer: "로그인 서비스",
        path: "그 서비스의 페이지",
        // safety: the name of the program is a claim of the far machine
        client: "프로그램(client ID, 그 컴퓨터의 주장)",
        scope: "요청하는 접근 권한",
        noScope: "언급 없음",
        resource: "이 서비스에 대한 접근 권한",
        details: "접근 권한의 세부 내용",
        prompt: "그 서비스가 묻는 방식(prompt)")
}

extension LoopbackPhrases {
    fileprivate static let korean = LoopbackPhrases(
        signedIn: Message(
            heading: "로그인했습니다",
            text: "이 탭을 닫고 앱으로 돌아가셔도 됩니다."),
        failed: Message(
            heading: "로그인하지 않았습니다",
            text: "앱으로 돌아가세요. 이유가 표시되며 그곳에서 다시 시도할 수 있습니다."),
        taken: Message(
            heading: "이 로그인은 끝났습니다",
            text: "이미 완료되었거나 종료되었습니다. 이 탭을 닫고 앱으로 돌아가셔도 됩니다."),
        tooLate: Message(
            heading: "이 로그인을 기다리는 앱이 없습니다",
            text: "너무 오래 걸렸거나 취소되었습니다. 앱에서 다시 시작하세요."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "이 로그인은 회원님의 앱이 시작한 것이 아닙니다",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "아무 처리도 하지 않았습니다. 이 페이지의 주소는 부탁을 받더라도 복사하지도, 누구에게 보내지도 마세요."),
        notHere: Message(
            heading: "이 주소에는 아무것도 없습니다",
            text: "이 컴퓨터의 앱이 다른 주소에서 로그인을 기다리고 있습니다."),
        notOwnUser: Message(
            heading: "이 페이지는 다른 사용자의 것입니다",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "이 컴퓨터의 앱은 자기 사용자의 브라우저를 기다리고 있으며, 이것이 그 브라우저인지 확실하지 않습니다. 아무 처리도 하지 않았습니다."))
}

extension DesktopPhrases {
    fileprivate static let korean = DesktopPhrases(
        appsLeftOut: Message(
            heading: "앱에서 로그인할 수 없습니다",
            text: "앱의 설정 파일에 오류가 있어 사용되지 않습니다. 어떤 파일인지는 `switchyard doctor --desktop`에서 알 수 있습니다."),
        noApp: Message(
            heading: "이 로그인은 어떤 앱의 것도 아닙니다",
            text: "이 세션에는 브라우저가 이동한 주소를 가진 앱이 없습니다. "
                // safety: do not give the address to anybody
                + "이 주소를 아무에게도 알려 주지 마세요."),
        notAwaited: Message(
            heading: "이 로그인을 기다리는 앱이 없습니다",
            text: "이 세션의 앱이 시작한 것이 아니거나, 그 앱이 더 이상 기다리지 않습니다. "
                // safety: do not give the address of the page to anybody
                + "페이지의 주소를 아무에게도 알려 주지 마세요. "
                + "로그인하려면 앱에서 다시 시작하세요."),
        used: Message(
            heading: "이 로그인은 이미 사용되었습니다",
            text: "앱으로 돌아가세요. 아직 기다리고 있으면 그곳에서 다시 시작하세요."),
        expired: Message(
            heading: "이 로그인에 시간이 너무 오래 걸렸습니다",
            text: "앱에서 다시 시작하세요."),
        appIsGone: Message(
            heading: "앱에 연결할 수 없습니다",
            text: "앱을 실행하고 그곳에서 다시 로그인하세요."),
        outOfReach: Message(
            heading: "로그인을 전달하지 못했습니다",
            text: "로그인을 앱에 전달하는 프로그램이 시작되지 않습니다. 이유는 `switchyard doctor`에서 알 수 있습니다. 그런 다음 앱에서 다시 시작하세요."),
        keyringLocked: Message(
            heading: "로그인이 아직 저장되지 않았습니다",
            text: "키링이 잠겨 있습니다. 잠금을 풀면 로그인이 자동으로 저장됩니다. 풀지 않으면 다음 세션에서 다시 로그인해야 합니다."),
        signInNeeded: Message(
            heading: "프로그램이 로그인을 기다리고 있습니다",
            text: "아래 서버를 사용자를 대신하여 사용하려고 합니다. "
                // safety: sign in only if you expect it
                + "예상한 일인 경우에만 브라우저에서 주소를 열고 로그인하세요."),
        notSaved: Message(
            heading: "로그인이 아직 저장되지 않았습니다",
            text: "디스크가 가득 찬 경우처럼 무언가가 막고 있습니다. `switchyard doctor`에서 원인을 알 수도 있습니다. 해결되면 로그인이 자동으로 저장됩니다. "
                + "해결되지 않으면 다음 세션에서 다시 로그인해야 합니다."))
}
