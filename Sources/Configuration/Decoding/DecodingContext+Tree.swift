extension DecodingContext {
    /// Reads a file's text into a tree; nil when it holds nothing that can be decoded. Problems are reported.
    func tree(of bytes: [UInt8]) -> YAMLNode? {
        let outcome = YAMLReader.read(bytes)
        for problem in outcome.problems { error(at: problem.mark, problem.message, problem.remedy) }
        if outcome.root == nil, outcome.problems.isEmpty {
            error(at: .start, "an empty file", "write \"key: value\" lines into it")
        }
        return outcome.root
    }
}
