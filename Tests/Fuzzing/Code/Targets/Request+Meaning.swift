@testable import SwitchyardHTTP

extension Request {
    /// Whether two requests say the same, wherever their parts stand.
    func means(_ other: Request) -> Bool {
        method == other.method && minorVersion == other.minorVersion && authority == other.authority
            && pathBytes == other.pathBytes && queryBytes == other.queryBytes && framing == other.framing
            && wantsClose == other.wantsClose && expectsContinue == other.expectsContinue
            && fields.count == other.fields.count
            && zip(fields, other.fields).allSatisfy { mine, its in
                head[mine.name] == other.head[its.name] && head[mine.value] == other.head[its.value]
            }
    }
}
