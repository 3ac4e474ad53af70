/// The parameter `challenge_type`: what an app can ask its user for by itself.
struct ChallengeTypes: Sendable {
    enum Name: String, Sendable {
        case password
        /// A code that comes another way.
        case outOfBand = "oob"
        /// Every app must be able to open a browser.
        case redirect
    }

    private let names: Set<Name>

    init(_ parameters: RequestParameters) throws(TokenError) {
        guard let text = parameters["challenge_type"] else { throw .missing("challenge_type") }
        let words = text.split(separator: " ")
        let names = words.compactMap { Name(rawValue: String($0)) }
        guard names.count == words.count, names.contains(.redirect) else { throw .unsupportedChallengeType }
        self.names = Set(names)
    }

    func contains(_ name: Name) -> Bool { names.contains(name) }
}
