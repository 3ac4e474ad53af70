internal import SwitchyardCHiredis

/// Arguments of a command, which may be any bytes. All of them are in one array, so a command of twenty takes one
/// allocation.
public struct RedisArguments: Hashable, Sendable {
    fileprivate private(set) var bytes: [UInt8] = []
    fileprivate private(set) var lengths: [Int] = []

    public init() {}

    public init(_ arguments: [[UInt8]]) {
        reserve(bytes: arguments.reduce(0) { $0 + $1.count }, count: arguments.count)
        for argument in arguments { append(argument) }
    }

    /// Makes room for so many arguments of so many bytes altogether.
    public mutating func reserve(bytes: Int, count: Int) {
        self.bytes.reserveCapacity(bytes)
        lengths.reserveCapacity(count)
    }

    /// One more argument; any bytes.
    public mutating func append(_ argument: [UInt8]) {
        bytes += argument
        lengths.append(argument.count)
    }

    /// Appends a number, in decimal digits.
    public mutating func append(_ number: Int64) {
        append { bytes in RedisArguments.write(number, to: &bytes) }
    }

    /// Appends one argument: what `write` puts behind the bytes that are there.
    public mutating func append(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        lengths.append(bytes.count - start)
    }

    mutating func append(contentsOf other: RedisArguments) {
        bytes += other.bytes
        lengths += other.lengths
    }

    /// The decimal digits of a number, behind the bytes that are there.
    public static func write(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}

/// A command: its name and its arguments.
public struct RedisCommand: Hashable, Sendable, ExpressibleByArrayLiteral {
    private let arguments: RedisArguments

    public init(_ arguments: [[UInt8]]) {
        self.init(RedisArguments(arguments))
    }

    public init(arrayLiteral arguments: String...) {
        self.init(arguments.map { Array($0.utf8) })
    }

    /// - Parameter arguments: of which the first is the name.
    init(_ arguments: RedisArguments) {
        self.arguments = arguments
    }

    /// Appends the command in its wire format; leaves `out` unchanged when memory is short.
    func write(to out: inout [UInt8]) {
        let lengths = arguments.lengths
        var text: UnsafeMutablePointer<CChar>?
        let count = unsafe arguments.bytes.withUnsafeBytes { bytes in
            // An empty array has no address. Empty arguments do not need one.
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var none: CChar = 0
            return unsafe withUnsafePointer(to: &none) { none in
                unsafe sy_redis_format(&text, start ?? none, lengths, Int32(clamping: lengths.count))
            }
        }
        guard let text = unsafe text, count > 0 else { return }
        defer { unsafe redisFreeCommand(text) }
        unsafe out.append(contentsOf: UnsafeRawBufferPointer(start: text, count: count))
    }
}
