extension Configuration {
    /// Reads and checks a configuration file and the files that it names.
    ///
    /// - Parameters:
    ///   - path: The main file; messages name it as it is given here.
    ///   - environment: What `${NAME}` in the main file stands for.
    ///   - looksAtMachine: Whether it is for this machine: then certificates have to fit their keys, and groups to exist.
    /// - Returns: The configuration, unless there were errors; and all of those, and warnings. Blocks on the disk.
    public static func load(
        path: String, environment: [String: String], looksAtMachine: Bool = true
    ) -> LoadOutcome {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) }
        let file = SourceFile(
            name: path, directory: directory == "" ? "/" : directory ?? "", role: .main(environment: environment))
        do {
            let bytes = try FileSystem.read(path, maximum: ConfigurationDecoder.maximumSize).bytes
            return load(bytes, as: file, looksAtMachine)
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
        text: String, file: String, directory: String, environment: [String: String], looksAtMachine: Bool = true
    ) -> LoadOutcome {
        let file = SourceFile(name: file, directory: directory, role: .main(environment: environment))
        return load(Array(text.utf8), as: file, looksAtMachine)
    }

    private static func load(_ bytes: [UInt8], as file: SourceFile, _ looksAtMachine: Bool) -> LoadOutcome {
        let log = DiagnosticLog()
        let configuration = ConfigurationDecoder.decode(
            bytes, in: DecodingContext(file: file, log: log, looksAtMachine: looksAtMachine))
        return LoadOutcome(configuration: configuration, diagnostics: log.sorted)
    }
}
