import Testing

@testable import SwitchyardConfiguration

@Suite("deploy/switchyard.yaml") struct SampleFileTests {
    private static let path =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        + "/deploy/switchyard.yaml"

    /// The sample in a directory with the certificates that it names.
    private func load() throws -> (outcome: LoadOutcome, text: String) {
        let text = String(decoding: try FileSystem.read(Self.path, maximum: 1 << 20).bytes, as: UTF8.self)
        let directory = try TemporaryDirectory()
        for name in ["server.pem", "server.key", "ca.pem"] { try directory.write("dev/\(name)") }
        let here = text.replacing("../certs/dev/", with: "dev/")
        let outcome = Configuration.load(
            text: here, file: "switchyard.yaml", directory: directory.path, environment: [:], looksAtMachine: false)
        return (outcome, text)
    }

    @Test("passes the checker, with warnings about release: none only")
    func passes() throws {
        let outcome = try load().outcome
        #expect(outcome.configuration != nil, "\(outcome.errors)")
        #expect(outcome.warnings.allSatisfy { $0.contains("\"release: none\" protects nobody") }, "\(outcome.warnings)")
    }

    @Test("shows the limits that hold without it")
    func limits() throws {
        #expect(try load().outcome.configuration?.limits == Limits())
    }

    @Test("explains every key")
    func explainsEveryKey() throws {
        let text = try load().text
        func names<Key: ConfigurationKey>(_ keys: Key.Type) -> [String] { keys.allCases.map(\.rawValue) }
        let file = names(MainFile.Key.self) + names(ListenSection.Key.self) + names(IssuersSection.Key.self)
        let more = names(EncryptionKeysSection.Key.self) + names(Limits.Key.self) + names(LogSection.Key.self)
        let keys = file + more + names(AppKey.self)
        for key in keys { #expect([":", " ", ","].contains { text.contains("\(key)\($0)") }, "\(key)") }
    }
}
