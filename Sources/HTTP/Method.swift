/// A request method (RFC 9110 section 9). The ones that are answered have a case; any other token is `other`.
public enum Method: String, Sendable, Equatable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"
    case options = "OPTIONS"
    case connect = "CONNECT"
    case trace = "TRACE"
    case other

    /// Methods are case-sensitive.
    init(_ token: ArraySlice<UInt8>) {
        self =
            switch token.count {
            case 3 where token.elementsEqual("GET".utf8): .get
            case 3 where token.elementsEqual("PUT".utf8): .put
            case 4 where token.elementsEqual("POST".utf8): .post
            case 4 where token.elementsEqual("HEAD".utf8): .head
            case 5 where token.elementsEqual("PATCH".utf8): .patch
            case 5 where token.elementsEqual("TRACE".utf8): .trace
            case 6 where token.elementsEqual("DELETE".utf8): .delete
            case 7 where token.elementsEqual("OPTIONS".utf8): .options
            case 7 where token.elementsEqual("CONNECT".utf8): .connect
            default: .other
            }
    }
}
