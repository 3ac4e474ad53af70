@testable import SwitchyardHTTP

/// The result of parsing a head.
enum HeadOutcome: Equatable {
    case request(Request, RequestFraming)
    case incomplete
    case refused(HTTPError)

    /// Feeds the bytes in pieces of these lengths, over and over.
    init(_ bytes: [UInt8], in pieces: [Int], _ limits: HTTPLimits) {
        guard var request = SampleConnection.request() else { fatalError("no connection to parse on") }
        var parser = RequestHeadParser(limits: limits)
        var count = 0
        var piece = 0
        do throws(HTTPError) {
            while count < bytes.count {
                count = min(bytes.count, count + max(1, pieces[piece % pieces.count]))
                piece += 1
                if let framing = try parser.parse(bytes, count: count, into: &request) {
                    self = .request(request, framing)
                    return
                }
            }
            self = .incomplete
        } catch {
            self = .refused(error)
        }
    }

    var isRefused: Bool {
        if case .refused = self { true } else { false }
    }

    var isTooLarge: Bool {
        guard case .refused(let error) = self else { return false }
        return error.reason == .requestLineTooLong || error.reason == .headerTooLarge
    }

    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.request(let left, let first), .request(let right, let second)):
            first == second && left.fields.bytes == right.fields.bytes && left.means(right)
        case (.incomplete, .incomplete): true
        case (.refused(let left), .refused(let right)): left == right
        default: false
        }
    }
}
