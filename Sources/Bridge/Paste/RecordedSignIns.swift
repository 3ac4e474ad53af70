internal import SwitchyardOAuth
internal import SwitchyardText

/// The sign-ins that programs of this machine have asked a browser for while none could be reached, as a small file keeps
/// them: a line each, with the time after which it is not known any more.
public struct RecordedSignIns: Sendable {
    private var lines: [(expires: Int64, address: SignInAddress)] = []

    /// How long a sign-in can be matched, in seconds.
    public static let life: Int64 = 600
    private static let most = 20

    /// Reads the file; a line that is none is not there.
    /// - Parameter now: in seconds since 1970.
    public init(_ text: String, now: Int64) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let expires = Int64(parts[0]), expires > now, expires <= now + Self.life,
                case .signIn(let address) = AddressJudge.judge(String(parts[1]))
            else { continue }
            lines.append((expires, address))
        }
    }

    /// What the file shall hold.
    public var text: String { lines.map { "\($0.expires) \($0.address.url)\n" }.joined() }

    /// The newest; the oldest of too many is forgotten.
    /// - Parameter now: in seconds since 1970.
    public mutating func add(_ address: SignInAddress, now: Int64) {
        lines.removeAll { $0.address == address }
        lines.append((now + Self.life, address))
        if lines.count > Self.most { lines.removeFirst(lines.count - Self.most) }
    }

    /// For a sign-in that is over.
    public mutating func remove(_ address: SignInAddress) {
        lines.removeAll { $0.address == address }
    }

    /// The sign-in that a pasted address is the end of.
    /// - Returns: the sign-in, and what its tool is to be asked for, byte for byte.
    public func match(_ pasted: String) throws(PasteFlaw) -> (address: SignInAddress, target: String) {
        guard !lines.isEmpty else { throw .nothingRecorded }
        let text = pasted.prefix { $0 != "#" }
        guard text.utf8.count <= 4 * AddressJudge.maximumBytes, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
        else {
            throw .notCallback
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = parts.first, let endpoint = try? LoopbackEndpoint(String(base)) else { throw .notCallback }
        let here = lines.map(\.address).filter { $0.redirectURI == endpoint }
        guard !here.isEmpty else { throw .anotherAddress }
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

/// Why a pasted address goes nowhere.
public enum PasteFlaw: Error, Hashable, Sendable, CaseIterable {
    case nothingRecorded
    case notCallback
    case anotherAddress
    case anotherState
    case formPost

    public var words: String {
        switch self {
        case .nothingRecorded: "no program here has asked for a sign-in in the last minutes"
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
        case .notCallback, .anotherAddress, .anotherState:
            "copy the whole address of the page that failed to load, after the sign-in that was begun last"
        case .formPost: "use `switchyard ssh` from the machine with the browser"
        }
    }
}
