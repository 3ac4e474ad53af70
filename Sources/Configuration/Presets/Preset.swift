public import SwitchyardJSON

/// Everything that is known of a provider, from a data file of `Sources/Presets/Data`.
public struct Preset: Sendable {
    /// Which clients a provider knows.
    public enum Client: String, CaseIterable, Sendable {
        /// Without a secret: apps that people install.
        case publicOnly = "public"
        /// With a secret.
        case confidential
        case either
    }

    /// Something that an app does with its provider.
    public enum Feature: String, CaseIterable, Sendable {
        case signIn = "sign_in"
        case refresh
        case idToken = "id_token"
        case signOut = "sign_out"
        case revocation
        case agentAccount = "agent_account"

        public var title: String {
            switch self {
            case .signIn: "sign-in"
            case .refresh: "refresh"
            case .idToken: "ID token"
            case .signOut: "sign-out"
            case .revocation: "revocation"
            case .agentAccount: "agent account"
            }
        }
    }

    /// Whether a feature works here.
    public enum Answer: String, CaseIterable, Sendable {
        case yes, no
        /// With a setting at the provider, or for some clients.
        case partly
        /// The sources do not say.
        case unknown
    }

    /// A public page, and when it was read.
    public struct Source: Sendable {
        public let url: String
        /// The day of the stored copy that was read, or of its commit.
        public let date: String
        /// The facts that it is the source of.
        public let facts: String
    }

    /// A row of the table of failures.
    public struct Failure: Sendable {
        public let sign: String
        public let cause: String
        public let remedy: String
    }

    public let name: String
    public let title: String
    /// One sentence.
    public let about: String
    public let values: [PresetValue]
    public let client: Client
    /// The keys that it sets, with placeholders such as `{tenant}`.
    public let settings: JSONObject
    /// The reason for each deviation that it sets.
    public let reasons: [(deviation: String, reason: String)]
    /// The keys of the smallest app, beside those that every app has.
    public let app: JSONObject
    public let redirectPath: String
    /// The place and the steps of the registration, in Markdown.
    public let register: String
    /// The redirect URIs that the provider takes.
    public let redirectURIs: String
    /// How an app gets a refresh token.
    public let refresh: String
    public let works: [(feature: Feature, answer: Answer)]
    /// Known limits and other advice, in Markdown.
    public let notes: String
    public let failures: [Failure]
    /// A whole configuration in place of the generated one.
    public let configuration: String?
    public let sources: [Source]
    /// How it was tried.
    public let tried: String
    /// The parts of an issuer identifier by which doctor recognizes the provider.
    public let signs: [String]
    /// The text of its file.
    let text: String
    /// The hosts that the metadata of a tenant may name when the tenant is given by a domain.
    let numberedHosts: Set<String>

    /// The names of the values that it asks for.
    public var valueNames: [String] { values.map(\.name) }
}

/// A value that a preset asks for, such as the tenant.
public struct PresetValue: Sendable {
    /// The form that a value must have.
    public enum Form: String, CaseIterable, Sendable {
        /// A host, with a port if need be.
        case host
        /// The same, with a path if need be.
        case address
        /// Letters, digits and `.-_`.
        case name
        case guid

        var words: String {
            switch self {
            case .host: "a host such as login.contoso.com, without https://"
            case .address: "a host such as login.contoso.com, without https://; a path may follow"
            case .name: "a name of letters, digits and .-_"
            case .guid: "a GUID such as 72f988bf-86f1-41af-91ab-2d7cd011db47"
            }
        }
    }

    /// The key beside `preset`.
    public let name: String
    public let about: String
    public let example: String
    public let form: Form
    /// nil if the value is required.
    public let standard: String?
}
