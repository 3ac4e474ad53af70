internal import SwitchyardOAuth
internal import SwitchyardText

/// The recorded sign-ins of programs on this machine that could not reach a browser. They are lines of a small file,
/// each with its expiry time.
public struct RecordedSignIns: Sendable {
    private struct Line: Sendable {
        let expires: Int64
        let url: String
        /// nil for an address that cannot be followed.
        let signIn: SignInAddress?
        /// The reason why it cannot be followed.
        let objection: Objection?
    }

    private var lines: [Line] = []

    /// How long a sign-in can be matched, in seconds.
    public static let life: Int64 = 600
    private static let most = 20

    /// Reads the file; skips invalid and expired lines.
    /// - Parameter now: in seconds since 1970.
    public init(_ text: String, now: Int64) {
        for text in text.split(separator: "\n") {
            let parts = text.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let expires = Int64(parts[0]), expires > now, expires <= now + Self.life,
                let line = Self.line(String(parts[1]), until: expires)
            else { continue }
            lines.append(line)
        }
    }

    /// nil for an address that is no sign-in's.
    private static func line(_ url: String, until expires: Int64) -> Line? {
        switch AddressJudge.judge(url) {
        case .signIn(let address): Line(expires: expires, url: url, signIn: address, objection: nil)
        case .link(_, let objection) where objection.isOfSignIn:
            Line(expires: expires, url: url, signIn: nil, objection: objection)
        case .link, .localPage, .refused: nil
        }
    }

    /// The new content of the file.
    public var text: String { lines.map { "\($0.expires) \($0.url)\n" }.joined() }

    /// Keeps the address of a sign-in as the newest, also one that cannot be followed: then ``match(_:)`` says why. The oldest
    /// of too many is forgotten.
    /// - Parameter now: in seconds since 1970.
    public mutating func add(_ url: String, now: Int64) {
        guard let line = Self.line(url, until: now + Self.life) else { return }
        lines.removeAll { $0.url == url }
        lines.append(line)
        if lines.count > Self.most { lines.removeFirst(lines.count - Self.most) }
    }

    /// For a sign-in that is over.
    public mutating func remove(_ address: SignInAddress) {
        lines.removeAll { $0.signIn == address }
    }

    /// Finds the sign-in that a pasted address ends.
    /// - Returns: the sign-in, and the request target for its tool, byte for byte.
    public func match(_ pasted: String) throws(PasteError) -> (address: SignInAddress, target: String) {
        guard let newest = lines.last else { throw .nothingRecorded }
        let text = pasted.prefix { $0 != "#" }
        guard text.utf8.count <= 4 * AddressJudge.maximumBytes, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        else {
            throw .notCallback
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = parts.first, let endpoint = try? LoopbackEndpoint(String(base)) else {
            // A sign-in that comes back elsewhere has such an address.
            if let objection = newest.objection { throw .notFollowed(objection) }
            throw .notCallback
        }
        let here = lines.compactMap(\.signIn).filter { $0.redirectURI == endpoint }
        guard !here.isEmpty else {
            let refused = lines.last { $0.objection != nil && AddressJudge.redirectEndpoint(of: $0.url) == endpoint }
            if let objection = refused?.objection ?? newest.objection { throw .notFollowed(objection) }
            throw .anotherAddress
        }
        guard parts.count == 2, let fields = try? FormEncoding.decode(Array(parts[1].utf8)) else {
            throw here.contains(where: \.isFormPost) ? .formPost : .notCallback
        }
        let states = fields.filter { $0.name == "state" }
        guard states.count == 1, let address = here.first(where: { $0.state == states[0].value }) else {
            throw here.contains(where: \.isFormPost) && states.isEmpty ? .formPost : .anotherState
        }
        return (address, "\(endpoint.path)?\(parts[1])")
    }
}

/// The reason why a pasted address goes nowhere.
public enum PasteError: Error, Hashable, Sendable {
    case nothingRecorded
    /// The sign-in was asked for, and cannot be told from another program's.
    case notFollowed(Objection)
    case notCallback
    case anotherAddress
    case anotherState
    case formPost

    public var words: String {
        switch self {
        case .nothingRecorded: "no program here has asked for a sign-in in the last minutes"
        case .notFollowed(let objection):
            "the sign-in that a program here has asked for cannot be pasted: \(objection.words)"
        case .notCallback: "that is no address that a sign-in leads back to (http on loopback, with a state)"
        case .anotherAddress: "no program here waits at that address"
        case .anotherState: "that address is the end of another sign-in than the one that was begun here"
        case .formPost:
            "the sign-in service answers with a form, which no address holds: this sign-in cannot be finished by pasting"
        }
    }

    public var hint: String {
        switch self {
        case .nothingRecorded: "start the sign-in with BROWSER set to a program that runs `switchyard browse`"
        case .notFollowed(.noState):
            "if you have just started that sign-in, give the address to its program yourself, here: curl -g 'ADDRESS'"
        case .notFollowed(let objection):
            objection.remedy(for: "") ?? "start the sign-in again, and copy its whole address"
        case .notCallback, .anotherAddress, .anotherState:
            "copy the whole address of the page that failed to load, after the sign-in that was begun last"
        case .formPost: "use `switchyard ssh` from the machine with the browser"
        }
    }
}
