/// A request to an API that takes access tokens.
public struct APIRequest: Sendable {
    /// The methods of HTTP that APIs take.
    public struct Method: Hashable, Sendable, CustomStringConvertible {
        /// Reads.
        public static var get: Self { Self(name: .get) }
        /// Adds, or does what the API defines.
        public static var post: Self { Self(name: .post) }
        /// Replaces.
        public static var put: Self { Self(name: .put) }
        /// Changes a part.
        public static var patch: Self { Self(name: .patch) }
        /// Takes away.
        public static var delete: Self { Self(name: .delete) }

        enum Name: String {
            case get = "GET"
            case post = "POST"
            case put = "PUT"
            case patch = "PATCH"
            case delete = "DELETE"
        }

        let name: Name

        public var description: String { name.rawValue }
    }

    /// By default GET.
    public var method: Method
    /// https; plain http on loopback where the configuration allows it.
    public var url: String
    /// Without `Authorization`, which is added.
    public var headers: [(name: String, value: String)] = []
    /// At most 64 KiB.
    public var body: [UInt8]?
    /// The scopes of the API that the access token must have.
    public var scopes: [String]
    /// The parameters for the browser if the API needs more than a silent request can bring. If nil, the request fails
    /// with `interactionRequired` and the claims.
    public var interaction: InteractiveTokenParameters?
    /// For the whole answer.
    public var timeout = Duration.seconds(30)

    /// A request without a body; headers, body and the rest can be set.
    public init(_ method: Method = .get, _ url: String, scopes: [String]) {
        self.method = method
        self.url = url
        self.scopes = scopes
    }
}

/// The answer of an API, with any status.
public struct APIResponse: Sendable {
    /// The HTTP status; redirects are not followed.
    public let status: Int
    /// By names in lower case.
    public let headers: [String: String]
    /// At most 16 MiB.
    public let body: [UInt8]

    /// For tests of an app.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The body as UTF-8; invalid bytes are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
