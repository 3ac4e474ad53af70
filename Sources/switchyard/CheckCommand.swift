internal import SwitchyardConfiguration

/// `switchyard check`: validates a configuration and says what follows from it.
struct CheckCommand: Command {
    static let name = "check"
    static let summary = "validate a configuration and print its routes"
    static let options: [Option] = [.value("config")]
    static let help = """
        Validates a configuration: every error with file, line, column and remedy, all at once, on standard error.
        Prints the routes, what each app's policy protects against, and the redirect URIs to register with each issuer.

        Usage: switchyard check --config FILE

        Options:
          --config FILE   the configuration
          --help          show this text

        Exit status: 0 when it can be served, 2 when it cannot.

        Example:
          switchyard check --config deploy/switchyard.yaml
        """

    private let path: String

    init(_ options: Options) throws {
        path = try options.required("config")
    }

    func run() throws -> ExitStatus {
        let outcome = Configuration.load(path: path, environment: Environment.all)
        for diagnostic in outcome.diagnostics where diagnostic.severity == .error || outcome.configuration == nil {
            Terminal.note("\(diagnostic)")
        }
        guard let configuration = outcome.configuration else { return .usage }
        Terminal.say(CheckReport(configuration, diagnostics: outcome.diagnostics).description)
        return .done
    }
}
