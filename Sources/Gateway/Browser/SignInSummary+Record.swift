internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

extension SignInSummary {
    init(_ record: RequestRecord, _ app: AppRegistration?) {
        self.init(app: app?.name ?? record.app.text, hostLabel: record.hostLabel, reference: record.reference)
    }
}

extension Asker {
    /// The beginner of a request, as the person at a browser sees it.
    /// - Parameter place: the browser's place; nil when it is unknown.
    init(_ record: RequestRecord, seenFrom place: PeerPlace?) {
        let time = ISODate.minutes(record.createdAt.milliseconds)
        let asker = PeerPlace(of: record.beginner)
        self.init(
            place: Place(record.beginner), time: time, isSameAddress: asker != nil && asker == place)
    }
}

extension Asker.Place {
    /// Only the kernel's word identifies a user of this machine. A caller behind a proxy that names no client could be
    /// anywhere.
    fileprivate init(_ beginner: RequestRecord.Beginner) {
        if let address = beginner.address {
            self = .address(address)
        } else {
            self = beginner.isPlaceUnknown ? .unknown : .thisMachine
        }
    }
}
