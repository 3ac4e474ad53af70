/// The keys that one kind of mapping knows.
protocol ConfigurationKey: RawRepresentable, CaseIterable, Equatable, Sendable where RawValue == String {
    /// False for a key of the contract that this version cannot do yet: it is answered, never ignored.
    var isBuilt: Bool { get }
}

extension ConfigurationKey {
    var isBuilt: Bool { true }
}
