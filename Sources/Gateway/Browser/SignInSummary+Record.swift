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
            place: Place(record.beginner), time: time, isSameAddress: asker != nil && asker == place)
    }
}

extension Asker.Place {
    /// A user of this machine is known by the kernel's word only; whoever comes through a proxy that names nobody could be
    /// anywhere.
    fileprivate init(_ beginner: RequestRecord.Beginner) {
        if let address = beginner.address {
            self = .address(address)
        } else {
            self = beginner.isPlaceUnknown ? .unknown : .thisMachine
        }
    }
}
