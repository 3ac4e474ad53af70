package import SwitchyardPages

/// The part of an app's pages that is its own, in the place of the operator's.
///
/// A class, because few of 100,000 apps have one: the others hold one empty reference.
public final class AppBranding: Sendable {
    package let logo: Logo?
    /// The address of the app's help, https or mailto.
    package let supportURL: String?

    package init(logo: Logo?, supportURL: String?) {
        self.logo = logo
        self.supportURL = supportURL
    }
}

extension AppBranding: Equatable {
    public static func == (left: AppBranding, right: AppBranding) -> Bool {
        left.logo == right.logo && left.supportURL == right.supportURL
    }
}
