/// A client of an issuer that signs in without our consent page, because the person said so on the command line.
public struct TrustedPair: Hashable, Sendable {
    private let issuerHost: String
    private let clientID: String

    /// - Parameter text: `ISSUER_HOST/CLIENT_ID`. A client ID may hold slashes, a host does not.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        issuerHost = parts[0].lowercased()
        clientID = String(parts[1])
    }

    /// A host without a port stands for all of its ports.
    public func covers(_ address: SignInAddress) -> Bool {
        guard clientID == address.clientID else { return false }
        if issuerHost == address.issuerHost { return true }
        guard let colon = address.issuerHost.lastIndex(of: ":"), !address.issuerHost.hasSuffix("]") else {
            return false
        }
        return issuerHost == address.issuerHost[..<colon]
    }
}
