internal import SwitchyardRouting

/// An app that was read, and where its parts stand, for the rules that look at several apps.
///
/// A class, because the rules pass many of them around.
final class DecodedApp {
    let registration: AppRegistration
    let file: SourceFile
    let mark: Mark
    let issuerMark: Mark
    let handlerMark: Mark
    let releaseMark: Mark
    let tenantsMark: Mark
    let returnMark: Mark
    let beginFromMark: Mark
    let responseModeMark: Mark
    /// One for each redirect URI, in their order.
    let redirectMarks: [Mark]

    init(_ registration: AppRegistration, _ reader: MappingReader<AppKey>, redirectMarks: [Mark]) {
        self.registration = registration
        file = reader.context.file
        mark = reader.mark(of: .id)
        issuerMark = reader.mark(of: .issuer)
        handlerMark = reader.mark(of: .handler)
        releaseMark = reader.mark(of: .release)
        tenantsMark = reader.mark(of: .tenants)
        returnMark = reader.mark(of: .returnURI)
        beginFromMark = reader.mark(of: .beginFrom)
        responseModeMark = reader.mark(of: .responseMode)
        self.redirectMarks = redirectMarks
    }

    var place: Place { Place(file: file, mark: mark) }

    func place(_ mark: Mark) -> Place { Place(file: file, mark: mark) }
}
