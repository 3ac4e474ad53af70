/// The reason why a relayed string is no callback.
public enum CallbackAddressError: Error, Hashable, Sendable {
    /// Longer than ``CallbackAddress/maximumLength``.
    case tooLong
    /// No URI that could be registered, with the reason that a redirect URI would get.
    case malformed(RedirectURIError.Kind)
}

/// A callback that arrived as a string, split into the part that is matched and the raw response parameters.
public struct CallbackAddress: Sendable {
    /// In bytes, query and fragment included.
    public static let maximumLength = 32 * 1024

    /// The form that the route table is asked for.
    public let form: RedirectURI.Form
    /// The part behind the `?`, undecoded; empty without a query.
    public let query: [UInt8]
    /// Whether there is a `#`. Its content is not kept: providers add `#_=_` and the like.
    public let hasFragment: Bool

    /// Splits a callback string with a custom scheme, on loopback or on https.
    /// - Throws: ``CallbackAddressError``, which holds no part of the text.
    public init(relayed text: String) throws(CallbackAddressError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#"))
        let address = bytes[..<(fragment ?? bytes.endIndex)]
        let question = address.firstIndex(of: UInt8(ascii: "?"))
        do throws(RedirectURIError.Kind) {
            form = try RedirectURI.Form(base: address[..<(question ?? address.endIndex)])
        } catch {
            throw .malformed(error)
        }
        query = question.map { Array(address[($0 + 1)...]) } ?? []
        hasFragment = fragment != nil
    }
}
