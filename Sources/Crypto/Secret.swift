internal import SwitchyardCOpenSSL

/// A value that must not be shown: it prints as `[redacted]` and its bytes are wiped when the last copy goes.
///
/// Compared in constant time. Safe to share between threads: the bytes never change.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private final class Storage: Sendable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        deinit {
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                // Why the cast: the storage is about to be freed, and this is its only owner.
                unsafe OPENSSL_cleanse(UnsafeMutableRawPointer(mutating: start), bytes.count)
            }
        }
    }

    private let storage: Storage

    public init(_ bytes: [UInt8]) {
        // A copy, so wiping never reaches an array that other code still reads.
        storage = Storage(Self.copy(bytes))
    }

    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// The bytes themselves. The caller keeps the copy short-lived and out of logs.
    public var exposedBytes: [UInt8] { Self.copy(storage.bytes) }

    /// The text itself. The caller keeps the copy short-lived and out of logs.
    public var exposedText: String { String(decoding: storage.bytes, as: UTF8.self) }

    /// The bytes in an array of their own.
    private static func copy(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
            count = unsafe out.initialize(fromContentsOf: bytes)
        }
    }

    public var isEmpty: Bool { storage.bytes.isEmpty }

    public var description: String { "[redacted]" }
    public var debugDescription: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    public static func == (left: Self, right: Self) -> Bool {
        constantTimeEqual(left.storage.bytes, right.storage.bytes)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(SHA256Digest(of: storage.bytes))
    }
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
