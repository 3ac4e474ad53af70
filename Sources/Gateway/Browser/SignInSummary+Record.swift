internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

extension SignInSummary {
    init(_ record: RequestRecord, _ app: AppRegistration?) {
        self.init(
            app: app?.name ?? record.app.text, hostLabel: record.hostLabel, reference: record.reference,
            branding: app?.branding, resource: app?.grant?.host ?? app?.resource?.url?.host)
    }
}

extension Asker {
    /// The beginner of a request, as the person at a browser sees it.
    /// - Parameter browser: the browser's address; nil when it is unknown.
    init(_ record: RequestRecord, seenFrom browser: PeerAddress?) {
        let time = ISODate.minutes(record.createdAt.milliseconds)
        let asker = PeerAddress(of: record.beginner)
        self.init(
            origin: Origin(record.beginner), time: time, isSameAddress: asker != nil && asker == browser)
    }
}

extension Asker.Origin {
    /// Only the kernel's word identifies a user of this machine. A caller behind a proxy that names no client could be
    /// anywhere.
    fileprivate init(_ beginner: RequestRecord.Beginner) {
        if let address = beginner.address {
            self = .address(address)
        } else {
            self = beginner.isAddressUnknown ? .unknown : .thisMachine
        }
    }
}
