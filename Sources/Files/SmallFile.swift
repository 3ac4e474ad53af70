/// Small files, for callers that do without a file that cannot be read.
public enum SmallFile {
    /// The first bytes of a plain file or of one of the kernel's; nil if it cannot be read.
    public static func bytes(_ path: String, maximum: Int = 64 << 10, followsLink: Bool = true) -> [UInt8]? {
        do throws(FileError) {
            return try RegularFile(path, followsLink: followsLink).readFirst(maximum)
        } catch {
            return nil
        }
    }

    /// The same as text.
    public static func text(_ path: String, maximum: Int = 64 << 10, followsLink: Bool = true) -> String? {
        bytes(path, maximum: maximum, followsLink: followsLink).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The whole text of a plain file; nil if it cannot be read or is larger.
    public static func wholeText(_ path: String, maximum: Int = 1 << 20) -> String? {
        do throws(FileError) {
            return String(decoding: try RegularFile(path).read(maximum: maximum), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
