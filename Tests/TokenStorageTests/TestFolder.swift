import Glibc
import SwitchyardCLinux
import SwitchyardCrypto
import SwitchyardTokenStorage

/// A folder for one test, removed afterwards, and what a test does to the files in it.
@safe final class TestFolder: Sendable {
    static let key = EncryptedFileKey.given(Secret([UInt8](repeating: 7, count: 32)))

    let path: String
    /// The directory for a test's storages, which make it.
    let tokens: String

    init() {
        let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        path = "\(temporary)/token-storage-\(Random.token(byteCount: 9))"
        tokens = path + "/state/tokens"
        unsafe mkdir(path, 0o700)
    }

    deinit {
        forgetKernelKey()
        for file in names() { unsafe unlink("\(tokens)/\(file)") }
        for directory in [tokens, path + "/state", path] { unsafe rmdir(directory) }
    }

    func storage(
        _ name: String = "app", key: EncryptedFileKey = TestFolder.key, timeout: Duration = .seconds(60)
    ) throws -> EncryptedFileStorage {
        try EncryptedFileStorage(name: name, key: key, directory: tokens, timeout: timeout)
    }

    /// The files in the directory of tokens, sorted.
    func names() -> [String] {
        guard let stream = unsafe opendir(tokens) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func setAsideNames() -> [String] { names().filter { $0.contains(".set-aside-") } }

    func path(_ name: String) -> String { "\(tokens)/\(name)" }

    func contents(_ name: String) -> [UInt8]? {
        let descriptor = unsafe open(path(name), O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8 << 20)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Overwrites a file in its place, as another program would.
    func overwrite(_ name: String, with bytes: [UInt8]) {
        let descriptor = unsafe open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    func mode(_ path: String) -> mode_t {
        var status = stat()
        unsafe lstat(path, &status)
        return status.st_mode & 0o7777
    }
}

extension TestFolder {
    /// Makes an empty file beside the directories.
    func overwriteOutside(_ name: String) {
        close(unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT, 0o600))
    }
}

extension TestFolder {
    /// Removes the kernel's key of the cache "app", as a restart of the machine would; whether there was one.
    @discardableResult
    func forgetKernelKey() -> Bool {
        var status = stat()
        guard unsafe stat(tokens, &status) == 0, sy_keys_hold() == 0 else { return false }
        defer { sy_keys_release() }
        let key = unsafe sy_key_find("switchyard tokens \(status.st_dev):\(status.st_ino) app")
        return key >= 0 && sy_key_remove(key) == 0
    }
}
