public import SwitchyardRouting

/// An app as a desktop knows it: its identity and its schemes.
public struct DesktopApp: Hashable, Sendable {
    public let id: AppID
    /// One line.
    public let name: String
    /// In their order, each once.
    public let schemes: [URLScheme]

    public init(id: AppID, name: String, schemes: [URLScheme]) {
        self.id = id
        self.name = name
        var seen: Set<URLScheme> = []
        self.schemes = schemes.filter { seen.insert($0).inserted }
    }

    /// The reason why a file describes no app.
    public struct DescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// Whether a file means to be an `Info.plist`.
    public static func isInfoPlist(_ bytes: [UInt8]) -> Bool { PropertyList.isOne(bytes) }

    /// From the `Info.plist` of an app for Apple's systems, in XML: `CFBundleIdentifier`, and all `CFBundleURLSchemes` of
    /// `CFBundleURLTypes`.
    public init(infoPlist bytes: [UInt8]) throws(DescriptionError) {
        let list: PropertyList
        do throws(PropertyList.ReadingError) {
            list = try PropertyList(bytes)
        } catch {
            throw DescriptionError(description: error.description)
        }
        guard let identifier = list["CFBundleIdentifier"]?.text else {
            throw DescriptionError(description: "it has no CFBundleIdentifier")
        }
        guard !identifier.contains("$(") else {
            throw DescriptionError(
                description:
                    "CFBundleIdentifier is \(identifier), which a build fills in: take the Info.plist of the built app")
        }
        guard let id = AppID(identifier) else {
            throw DescriptionError(
                description: "the CFBundleIdentifier \"\(identifier)\" is no ID: letters, digits, \".\", \"-\", \"_\"")
        }
        var schemes: [URLScheme] = []
        for type in list["CFBundleURLTypes"]?.list ?? [] {
            for scheme in type["CFBundleURLSchemes"]?.list ?? [] {
                guard let text = scheme.text else {
                    throw DescriptionError(description: "a scheme in CFBundleURLSchemes is no text")
                }
                schemes.append(try Self.scheme(text, bundle: identifier))
            }
        }
        guard !schemes.isEmpty else {
            throw DescriptionError(
                description: "it has no CFBundleURLTypes with CFBundleURLSchemes, so there is nothing to register")
        }
        let name = (list["CFBundleDisplayName"] ?? list["CFBundleName"])?.text ?? identifier
        self.init(id: id, name: name.contains("$(") || name.isEmpty ? identifier : name, schemes: schemes)
    }

    private static func scheme(_ text: String, bundle: String) throws(DescriptionError) -> URLScheme {
        // The one setting that projects use here, and the one with a known value.
        let text = text.replacing("$(PRODUCT_BUNDLE_IDENTIFIER)", with: bundle)
        guard !text.contains("$(") else {
            throw DescriptionError(
                description: "the scheme \(text) is one that a build fills in: take the Info.plist of the built app")
        }
        do throws(URLScheme.SchemeError) {
            return try URLScheme(text)
        } catch {
            throw DescriptionError(description: "the scheme \"\(text)\" \(error)")
        }
    }
}
