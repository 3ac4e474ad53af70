extension Configuration {
    /// Reads and checks a configuration file and the files that it names.
    ///
    /// - Parameters:
    ///   - path: The main file; messages name it as it is given here.
    ///   - environment: What `${NAME}` in the main file stands for.
    /// - Returns: The configuration, unless there were errors; and all of those, and warnings. Blocks on the disk.
    public static func load(path: String, environment: [String: String]) -> LoadOutcome {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) }
        let file = SourceFile(
            name: path, directory: directory == "" ? "/" : directory ?? "", role: .main(environment: environment))
        do {
            return load(try FileSystem.read(path, maximum: ConfigurationDecoder.maximumSize).bytes, as: file)
        } catch {
            let diagnostic = Diagnostic(
                severity: .error, file: path, line: 1, column: 1, message: "it cannot be read: \(error.reason)",
                remedy: "name a file that this user can read")
            return LoadOutcome(configuration: nil, diagnostics: [diagnostic])
        }
    }

    /// The same for a text that is in memory already.
    ///
    /// - Parameters:
    ///   - file: What messages call it.
    ///   - directory: What relative paths start from; empty for the current directory.
    public static func load(
        text: String, file: String, directory: String, environment: [String: String]
    ) -> LoadOutcome {
        load(
            Array(text.utf8), as: SourceFile(name: file, directory: directory, role: .main(environment: environment)))
    }

    private static func load(_ bytes: [UInt8], as file: SourceFile) -> LoadOutcome {
        let log = DiagnosticLog()
        let configuration = ConfigurationDecoder.decode(bytes, in: DecodingContext(file: file, log: log))
        return LoadOutcome(configuration: configuration, diagnostics: log.sorted)
    }
}
