internal import SwitchyardCrypto

/// Tells the app what happens.
struct ClientLog: Sendable {
    private let configuration: LoggingConfiguration

    init(_ configuration: LoggingConfiguration) {
        self.configuration = configuration
    }

    func error(_ text: @autoclosure () -> Text) { write(.error, text) }
    func warning(_ text: @autoclosure () -> Text) { write(.warning, text) }
    func info(_ text: @autoclosure () -> Text) { write(.info, text) }
    func verbose(_ text: @autoclosure () -> Text) { write(.verbose, text) }

    private func write(_ level: LoggingConfiguration.Level, _ text: () -> Text) {
        guard let callback = configuration.callback, level <= configuration.level else { return }
        let text = text()
        let masks = configuration.masksPersonalData
        callback(
            LoggingConfiguration.Message(
                level: level, text: masks ? text.masked : text.plain,
                containsPersonalData: text.containsPersonalData && !masks))
    }

    /// A line in both of its forms. Use plain interpolation for values that do not name a person, and `person:` for
    /// values that do. There is no interpolation for a secret.
    struct Text: ExpressibleByStringInterpolation {
        fileprivate let plain: String
        fileprivate let masked: String
        fileprivate let containsPersonalData: Bool

        init(stringLiteral value: String) {
            (plain, masked, containsPersonalData) = (value, value, false)
        }

        init(stringInterpolation parts: Interpolation) {
            (plain, masked, containsPersonalData) = (parts.plain, parts.masked, parts.containsPersonalData)
        }

        struct Interpolation: StringInterpolationProtocol {
            fileprivate var plain = ""
            fileprivate var masked = ""
            fileprivate var containsPersonalData = false

            init(literalCapacity: Int, interpolationCount: Int) {}

            mutating func appendLiteral(_ literal: String) {
                plain += literal
                masked += literal
            }

            mutating func appendInterpolation(_ value: String) { appendLiteral(value.printable) }
            mutating func appendInterpolation(_ value: Int) { appendLiteral(String(value)) }

            /// Only the beginning of a digest is logged: it tells people apart without naming them. The domain of an
            /// address stays, because it names the directory.
            mutating func appendInterpolation(person value: String?) {
                guard let value else { return appendLiteral("nobody") }
                plain += value.printable
                masked += Self.mark(value)
                containsPersonalData = true
            }

            private static func mark(_ value: String) -> String {
                let parts = value.lowercased().split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
                let mark = Hexadecimal.encode(SHA256Digest(of: String(parts[0])).bytes.prefix(4))
                return parts.count == 2 ? "masked-\(mark)@\(String(parts[1]).printable)" : "masked-\(mark)"
            }
        }
    }
}

extension String {
    /// On one line, without control characters.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
