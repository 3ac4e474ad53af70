/// Why a text is not the YAML that this project reads: where, what was found, what would be right.
struct YAMLProblem: Error, Equatable, Sendable {
    let mark: Mark
    let message: String
    let remedy: String
}
