internal import SwitchyardJSON

/// The claims of a verified ID token.
public struct IDTokenClaims: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// The claims of a JSON object, for an app's tests. Text that is no object gives no claims.
    public init(json: String) {
        object = (try? JSONValue.parse(Array(json.utf8)))?.object ?? [:]
    }

    /// A claim that is text; nil when it is absent or something else.
    public subscript(_ name: String) -> String? { object[name]?.string }

    /// All of them as JSON text.
    public var json: String { String(decoding: JSONValue.object(object).serialized, as: UTF8.self) }

    /// Whether there are no claims.
    public var isEmpty: Bool { object.members.isEmpty }

    // They name a person.
    public var description: String { "[claims]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
