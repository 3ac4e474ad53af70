@testable import SwitchyardHTTP

extension Request {
    /// Whether two requests say the same, wherever their parts stand.
    func means(_ other: Request) -> Bool {
        method == other.method && authority == other.authority
            && pathBytes == other.pathBytes && queryBytes == other.queryBytes
            && fields.count == other.fields.count
            && zip(fields.lines, other.fields.lines).allSatisfy { mine, its in
                fields.bytes[mine.name] == other.fields.bytes[its.name]
                    && fields.bytes[mine.value] == other.fields.bytes[its.value]
            }
    }
}

extension RequestFraming {
    /// Whether two heads frame their messages alike, however long they are themselves.
    func means(_ other: RequestFraming) -> Bool {
        minorVersion == other.minorVersion && content == other.content && wantsClose == other.wantsClose
            && expectsContinue == other.expectsContinue
    }
}
