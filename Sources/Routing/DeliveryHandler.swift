public import SwitchyardCrypto
public import SwitchyardOAuth
internal import SwitchyardText

/// One way to hand a callback over to an app that keeps its own state. The gateway holds no request for it.
public enum DeliveryHandler: Hashable, Sendable {
    /// A JSON line to the Unix socket that the app listens on; an absolute path.
    case socket(path: String)
    /// A call of `org.freedesktop.Application.Open` on the session bus, which starts the app if it does not run.
    case dbus(BusName)
    /// A program with its arguments; ``ticketPlace`` in one of them is replaced by the ticket by which it gets the
    /// callback.
    case exec([String])
    /// A signed request to the app's server.
    case webhook(Webhook)

    /// The placeholder of the ticket in the arguments of a program.
    public static let ticketPlace = "{ticket}"

    public var kind: DeliveryName {
        switch self {
        case .socket: .socket
        case .dbus: .dbus
        case .exec: .exec
        case .webhook: .webhook
        }
    }
}

/// The way in which an app got an unrequested callback, as the configuration and metrics name it.
public enum DeliveryName: String, CaseIterable, Sendable {
    case socket, dbus, exec, webhook
    /// The browser itself has taken it to the app on its own machine: ``AppHandler/loopback``.
    case loopback
}

/// The address of a webhook, and the key that signs it.
public struct Webhook: Hashable, Sendable {
    /// The sizes of a key for signatures, in bytes, as Standard Webhooks requires.
    public static let keySizes = 24...64

    /// https, or http on loopback.
    public let url: EndpointURL
    /// The bytes themselves, not their base64 form.
    public let key: Secret

    public init(url: EndpointURL, key: Secret) {
        self.url = url
        self.key = key
    }
}

/// A well-known name on a message bus, such as `com.contoso.Mail`, that an app may have (D-Bus specification, "bus names").
public struct BusName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// nil when `text` is no such name.
    public init?(_ text: String) {
        let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 255, elements.count >= 2, elements.allSatisfy(Self.isElement) else { return nil }
        self.text = text
    }

    public var description: String { text }

    /// The object path of an app of this name (Desktop Entry specification, "D-Bus activation").
    public var objectPath: String {
        "/" + text.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    }

    private static func isElement(_ element: Substring.UTF8View.SubSequence) -> Bool {
        guard let first = element.first, !ASCII.isDigit(first) else { return false }
        return element.allSatisfy { ASCII.isAlphanumeric($0) || "_-".utf8.contains($0) }
    }
}
