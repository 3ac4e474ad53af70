/// Other names of parameters at one provider, such as `client_key` for `client_id`.
public struct ParameterNames: Hashable, Sendable {
    /// A message with parameters.
    public enum Message: String, CaseIterable, Hashable, Sendable {
        case authorization
        case token
        case callback

        /// The parameters that can have another name here.
        public var renamable: [String] {
            switch self {
            case .authorization:
                [
                    "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge",
                    "code_challenge_method",
                ]
            case .token:
                [
                    "grant_type", "client_id", "client_secret", "code", "redirect_uri", "code_verifier",
                    "refresh_token", "scope",
                ]
            case .callback: ["code", "state", "error", "error_description"]
            }
        }
    }

    /// By message, then by the name in the RFC.
    private var names: [Message: [String: String]] = [:]

    public init() {}

    /// All parameters that can have another name.
    public static let renamable = Set(Message.allCases.flatMap(\.renamable))

    /// The messages in which another name counts when the configuration names none. Providers that rename the code do
    /// so in the callback; their token endpoints expect `code`.
    public static func messages(of parameter: String) -> [Message] {
        parameter == "code" ? [.callback] : Message.allCases.filter { $0.renamable.contains(parameter) }
    }

    /// Names that decide anything in a message, and that no other parameter may have.
    public static let reserved = DecisiveParameters.names.union(AuthorizationRequest.ownParameters)

    /// The readings of all names that the protocol has for a parameter.
    private static let protocolReadings = renamable.union(reserved).reduce(into: Set<String>()) {
        $0.formUnion(ParameterName($1).readings)
    }

    /// Whether a lenient provider could read `name` as a parameter of the protocol.
    public static func isTaken(_ name: String) -> Bool {
        !ParameterName(name).readings.isDisjoint(with: protocolReadings)
    }

    public var isEmpty: Bool { names.isEmpty }

    public mutating func rename(_ parameter: String, to name: String, in message: Message) {
        names[message, default: [:]][parameter] = name
    }

    /// The parameter's name in a message to or from the provider.
    public func name(of parameter: String, in message: Message) -> String {
        names[message]?[parameter] ?? parameter
    }

    /// Whether a lenient provider could read `name` as its own name of a parameter.
    public func isName(_ name: String, in message: Message) -> Bool {
        guard let names = names[message] else { return false }
        let readings = ParameterName(name).readings
        return names.values.contains { !ParameterName($0).readings.isDisjoint(with: readings) }
    }

    /// The fields of a message from the provider under the names of the RFCs. A field that has such a name, while the
    /// provider has another for it, is left out: it means something else there.
    public func standardized(_ fields: [FormField], of message: Message) -> [FormField] {
        guard let names = names[message] else { return fields }
        let standard = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
        return fields.compactMap { field in
            if let name = standard[field.name] { return FormField(name, field.value) }
            return names[field.name] == nil ? field : nil
        }
    }
}
