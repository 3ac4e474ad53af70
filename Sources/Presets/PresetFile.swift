/// The data file of a preset, as it was compiled in.
public struct PresetFile: Sendable {
    /// The name of the preset, and of its file.
    public let name: String
    /// The file itself, in YAML.
    public let bytes: [UInt8]

    /// Every data file. A test holds this list to the folder.
    public static let all = [
        PresetFile(name: "adfs", bytes: PackageResources.adfs_yaml),
        PresetFile(name: "amazon", bytes: PackageResources.amazon_yaml),
        PresetFile(name: "apple", bytes: PackageResources.apple_yaml),
        PresetFile(name: "atlassian", bytes: PackageResources.atlassian_yaml),
        PresetFile(name: "auth0", bytes: PackageResources.auth0_yaml),
        PresetFile(name: "authelia", bytes: PackageResources.authelia_yaml),
        PresetFile(name: "authentik", bytes: PackageResources.authentik_yaml),
        PresetFile(name: "b2c", bytes: PackageResources.b2c_yaml),
        PresetFile(name: "bitbucket", bytes: PackageResources.bitbucket_yaml),
        PresetFile(name: "box", bytes: PackageResources.box_yaml),
        PresetFile(name: "cognito", bytes: PackageResources.cognito_yaml),
        PresetFile(name: "discord", bytes: PackageResources.discord_yaml),
        PresetFile(name: "dropbox", bytes: PackageResources.dropbox_yaml),
        PresetFile(name: "entra", bytes: PackageResources.entra_yaml),
        PresetFile(name: "external-id", bytes: PackageResources.external_id_yaml),
        PresetFile(name: "facebook", bytes: PackageResources.facebook_yaml),
        PresetFile(name: "figma", bytes: PackageResources.figma_yaml),
        PresetFile(name: "github", bytes: PackageResources.github_yaml),
        PresetFile(name: "gitlab", bytes: PackageResources.gitlab_yaml),
        PresetFile(name: "google", bytes: PackageResources.google_yaml),
        PresetFile(name: "hubspot", bytes: PackageResources.hubspot_yaml),
        PresetFile(name: "keycloak", bytes: PackageResources.keycloak_yaml),
        PresetFile(name: "line", bytes: PackageResources.line_yaml),
        PresetFile(name: "linkedin", bytes: PackageResources.linkedin_yaml),
        PresetFile(name: "notion", bytes: PackageResources.notion_yaml),
        PresetFile(name: "okta", bytes: PackageResources.okta_yaml),
        PresetFile(name: "onelogin", bytes: PackageResources.onelogin_yaml),
        PresetFile(name: "quickbooks", bytes: PackageResources.quickbooks_yaml),
        PresetFile(name: "salesforce", bytes: PackageResources.salesforce_yaml),
        PresetFile(name: "slack", bytes: PackageResources.slack_yaml),
        PresetFile(name: "spotify", bytes: PackageResources.spotify_yaml),
        PresetFile(name: "twitch", bytes: PackageResources.twitch_yaml),
        PresetFile(name: "x", bytes: PackageResources.x_yaml),
        PresetFile(name: "zitadel", bytes: PackageResources.zitadel_yaml),
        PresetFile(name: "zoom", bytes: PackageResources.zoom_yaml),
    ]
}
