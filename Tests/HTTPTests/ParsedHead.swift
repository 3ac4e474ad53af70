@testable import SwitchyardHTTP

/// The result of parsing a head.
enum ParsedHead: Equatable {
    case request(length: Int)
    case incomplete
    case refused(Int, HTTPError.Reason)

    /// Feeds all bytes at once.
    static func whole(
        _ bytes: [UInt8], into request: inout Request, limits: HTTPLimits = HTTPLimits()
    ) -> ParsedHead {
        fed(bytes, in: bytes.count, into: &request, limits)
    }

    /// Feeds the bytes as they would arrive from a peer that sends them one by one.
    static func byteByByte(
        _ bytes: [UInt8], into request: inout Request, limits: HTTPLimits = HTTPLimits()
    ) -> ParsedHead {
        fed(bytes, in: 1, into: &request, limits)
    }

    private static func fed(
        _ bytes: [UInt8], in step: Int, into request: inout Request, _ limits: HTTPLimits
    ) -> ParsedHead {
        var parser = RequestHeadParser(limits: limits)
        request.fields = Fields()
        var count = 0
        do throws(HTTPError) {
            while count < bytes.count {
                count = min(bytes.count, count + step)
                if let framing = try parser.parse(bytes, count: count, into: &request) {
                    return .request(length: framing.headLength)
                }
            }
            return .incomplete
        } catch {
            return .refused(error.status.code, error.reason)
        }
    }
}
