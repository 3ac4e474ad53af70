internal import SwitchyardCrypto

/// A picture that may stand on our pages: a whole PNG, or an SVG that can only draw. Only the check can make one.
package struct Logo: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case png, svg

        package var mediaType: StaticString { self == .png ? "image/png" : "image/svg+xml" }
    }

    /// The largest file, in bytes.
    package static let maximumBytes = 32 << 10

    package let kind: Kind
    package let bytes: [UInt8]
    /// Its name in addresses. It follows from the content, so another picture has another address.
    package let name: String

    package init(_ bytes: [UInt8]) throws(LogoError) {
        guard bytes.count <= Self.maximumBytes else { throw LogoError("it is larger than 32 KiB") }
        if PNGCheck.isMeant(by: bytes) {
            try PNGCheck.check(bytes)
            kind = .png
        } else if SVGCheck.isMeant(by: bytes) {
            try SVGCheck.check(bytes)
            kind = .svg
        } else {
            throw LogoError("it is neither a PNG nor an SVG")
        }
        self.bytes = bytes
        name = "\(Base64URL.encode(Array(SHA256Digest(of: bytes).bytes.prefix(15)))).\(kind.rawValue)"
    }

    package static func == (left: Logo, right: Logo) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The reason why a file is no logo.
package struct LogoError: Error, Equatable {
    package let reason: String
    /// The line of an SVG, from 1; nil for a PNG.
    package let line: Int?

    init(_ reason: String, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }
}
