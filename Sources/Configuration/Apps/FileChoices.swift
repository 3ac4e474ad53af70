internal import SwitchyardRouting

/// The app files with errors, and the replacement for each.
struct FileChoices: Sendable {
    /// They are watched, and their apps are not served.
    private(set) var leftOut: Set<String> = []
    /// The apps of the last good version of a file.
    private(set) var earlier: [String: ArraySlice<AppRegistration>] = [:]

    func fate(of file: String) -> Diagnostic.FileFate { leftOut.contains(file) ? .leftOut : .earlierVersion }

    /// Gives up the present version of a file. Its last good version replaces it; if that is missing or has errors too,
    /// the file is left out.
    mutating func giveUp(_ file: String, _ versions: FileVersions) {
        if earlier.removeValue(forKey: file) == nil, let apps = versions.apps(of: file) {
            earlier[file] = apps
        } else {
            leftOut.insert(file)
        }
    }
}

/// The apps that each file of `apps_directory` has in a configuration that is in use.
struct FileVersions: Sendable {
    private let apps: [AppRegistration]
    private let ranges: [String: Range<Int>]

    /// - Parameter ranges: the places of a file's apps among `apps`.
    init(_ apps: [AppRegistration] = [], _ ranges: [String: Range<Int>] = [:]) {
        self.apps = apps
        self.ranges = ranges
    }

    func apps(of file: String) -> ArraySlice<AppRegistration>? { ranges[file].map { apps[$0] } }
}
