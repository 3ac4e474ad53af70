internal import SwitchyardCrypto
internal import SwitchyardTokenStorage

/// A storage in a process of its own, for tests: reads one command a line, answers each with one line.
///
/// `storage-probe automatic|keyring|file|kernel-file|memory NAME`; `file` has a fixed key.
@main struct Probe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let place = place(arguments[1]) else {
            print("usage: storage-probe PLACE NAME")
            return
        }
        do throws(TokenStorageError) {
            let storage = try place.storage(name: arguments[2])
            answer("ready \(storage.summary)")
            while let line = readLine() {
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                do throws(TokenStorageError) {
                    answer(try perform(words.first ?? "", words.dropFirst().first ?? "", storage))
                } catch {
                    answer("error \(error.kind.rawValue): \(error)")
                }
            }
        } catch {
            answer("error \(error.kind.rawValue): \(error)")
        }
    }

    private static func place(_ word: String) -> StoragePlace? {
        let key = EncryptedFileKey.given(Secret([UInt8](repeating: 7, count: 32)))
        return switch word {
        case "automatic": .automatic(fileKey: key)
        case "keyring": .keyring
        case "file": .encryptedFile(key)
        case "kernel-file": .encryptedFile(.kernelKeyring)
        case "memory": .memory
        default: nil
        }
    }

    private static func perform(
        _ command: String, _ argument: String, _ storage: any TokenStorage
    ) throws(TokenStorageError) -> String {
        switch command {
        case "read":
            return try storage.read().map { "document " + String(decoding: $0, as: UTF8.self) } ?? "none"
        case "write":
            try storage.update { $0 = Array(argument.utf8) }
        case "remove":
            try storage.update { $0 = nil }
        case "set-aside":
            try storage.setAside()
        case "bytes":
            let bytes = (0..<(Int(argument) ?? 0)).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
            try storage.update { $0 = bytes }
            return try storage.read() == bytes ? "same" : "different"
        case "count":
            let words = argument.split(separator: " ")
            for _ in 0..<(words.dropFirst().first.flatMap { Int($0) } ?? 0) {
                try storage.update { Counters.increment(String(words[0]), in: &$0) }
            }
        default:
            return "unknown command"
        }
        return "done"
    }

    private static func answer(_ line: String) {
        print(line)
        flushOutput()
    }
}
