internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

extension SignInSummary {
    init(_ record: RequestRecord, _ app: AppRegistration?) {
        self.init(app: app?.name ?? record.app, hostLabel: record.hostLabel, reference: "\(record.reference)")
    }
}

extension Asker {
    /// Who began a request, as the person at a browser is told.
    /// - Parameter place: where that browser is; nil when it cannot be told.
    init(_ record: RequestRecord, seenFrom place: PeerPlace?) {
        let time = ISODate.minutes(record.createdAt.milliseconds)
        let asker = PeerPlace(of: record.beginner)
        self.init(
            place: record.beginner.address.map { .address($0) } ?? .thisMachine, time: time,
            isSameAddress: asker != nil && asker == place)
    }
}
