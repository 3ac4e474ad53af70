internal import SwitchyardCrypto

extension MappingReader {
    /// A secret that may stand in the file or in one beside it. `isGiven` without a `secret`: an error was reported.
    func secret(_ key: Key, file: Key) -> (isGiven: Bool, secret: Secret?) {
        switch (self[key], self[file]) {
        case (nil, nil): return (false, nil)
        case (let inline?, nil): return (true, context.text(inline).map { Secret($0) })
        case (nil, let path?): return (true, context.secretFile(path))
        case (_?, _?):
            context.error(
                at: mark(of: file), "both \"\(key.rawValue)\" and \"\(file.rawValue)\"", "keep one of the two")
            return (true, nil)
        }
    }
}
