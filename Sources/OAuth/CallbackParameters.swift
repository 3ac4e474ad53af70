/// The parameters of a callback that are no part of the protocol, as the app is told of them: Apple's `user`, an issuer's
/// `session_state`, Intuit's `realmId`.
///
/// The browser brought them. Only a signed response makes them the issuer's word.
public struct CallbackParameters: Hashable, Sendable {
    /// The most bytes of all names and values together. A callback with more has ``isCut`` set and no values.
    public static let maximumLength = 8 * 1024
    public static let none = CallbackParameters(values: [], isCut: false)

    /// Each name once, in the order in which they came. No value has a control character.
    public let values: [FormField]
    /// Whether there were more than ``maximumLength`` bytes, so that ``values`` is empty.
    public let isCut: Bool

    public init(values: [FormField], isCut: Bool) {
        self.values = values
        self.isCut = isCut
    }

    /// The protocol's own parameters. The gateway uses them, or they are tokens without verification.
    private static let protocolNames: Set<String> = [
        "code", "state", "iss", "error", "response", "id_token", "access_token", "refresh_token",
    ]

    init(of parameters: [FormField]) {
        var values: [FormField] = []
        var names = Self.protocolNames
        var length = 0
        for parameter in parameters where names.insert(parameter.name).inserted {
            let field = FormField(IssuerText.clean(parameter.name), IssuerText.clean(parameter.value))
            length += field.name.utf8.count + field.value.utf8.count
            values.append(field)
        }
        let isCut = length > Self.maximumLength
        self.init(values: isCut ? [] : values, isCut: isCut)
    }
}

extension CheckedResponse {
    /// The parameters beside the protocol's own; for a signed response, those inside the signature.
    public var callbackParameters: CallbackParameters { CallbackParameters(of: parameters) }
}
