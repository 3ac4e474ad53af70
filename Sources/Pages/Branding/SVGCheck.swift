/// The check of an SVG: well-formed XML of a strict subset, whose elements can only draw.
///
/// The parser knows no entities but the five of XML, no DOCTYPE, no processing instructions and no CDATA sections. So a
/// browser's parser sees nothing in the file that this one does not see.
struct SVGCheck {
    private var scanner: SVGScanner
    /// The elements that are open, with the namespace prefixes that each declares.
    private var open: [(name: String, prefixes: Set<String>)] = []
    private var ids: Set<String> = []
    /// The references to an `id`, and their positions.
    private var references: [(id: String, position: Int)] = []

    /// Browsers nest further, at the cost of their stack.
    private static let maximumDepth = 64

    static func isMeant(by bytes: [UInt8]) -> Bool {
        SVGScanner.withoutMark(bytes).first { !SVGScanner.isSpace($0) } == UInt8(ascii: "<")
    }

    static func check(_ bytes: [UInt8]) throws(LogoError) {
        var check = SVGCheck(scanner: try SVGScanner(bytes))
        try check.document()
    }

    private mutating func document() throws(LogoError) {
        try scanner.declaration()
        try scanner.spaceAndComments()
        guard !scanner.isAtEnd else { throw scanner.error("there is no <svg> element") }
        try startTag()
        while !open.isEmpty { try content() }
        try scanner.spaceAndComments()
        guard scanner.isAtEnd else { throw scanner.error("something follows </svg>") }
        if let missing = references.first(where: { !ids.contains($0.id) }) {
            throw scanner.error("it refers to \"#\(missing.id)\", which is not in the file", at: missing.position)
        }
    }

    private mutating func content() throws(LogoError) {
        guard !scanner.isAtEnd else { throw scanner.error("an element is not closed") }
        if try scanner.skipComment() { return }
        if scanner.skip("</") { return try endTag() }
        if scanner.isNext("<") { return try startTag() }
        try scanner.skipText()
    }

    private mutating func endTag() throws(LogoError) {
        let name = try scanner.name()
        scanner.skipSpace()
        guard scanner.skip(">"), open.popLast()?.name == name else {
            throw scanner.error("the tags of elements do not match")
        }
    }

    private mutating func startTag() throws(LogoError) {
        try scanner.refuseDeclarations()
        guard scanner.skip("<") else { throw scanner.error("there is no <svg> element") }
        let name = try scanner.name()
        let isRoot = open.isEmpty
        guard isRoot ? name == "svg" : SVGRules.elements.contains(name) else {
            throw scanner.error(isRoot ? "its outermost element is not <svg>" : "the element <\(name)>")
        }
        guard open.count < Self.maximumDepth else { throw scanner.error("elements too deep in one another") }
        var names: Set<String> = []
        var prefixes: Set<String> = []
        var used: Set<String> = []
        var hasNamespace = false
        while true {
            let hasSpace = scanner.skipSpace()
            if scanner.isNext(">") || scanner.isNext("/") { break }
            guard hasSpace else { throw scanner.error("a tag is not well-formed") }
            let attribute = try scanner.attribute()
            guard names.insert(attribute.name).inserted else {
                throw scanner.error("the attribute \"\(attribute.name)\" twice")
            }
            let place = try judge(attribute)
            switch place {
            case .namespace: hasNamespace = true
            case .prefix(let prefix): prefixes.insert(prefix)
            case .ordinary(let prefix): if let prefix { used.insert(prefix) }
            }
        }
        guard !isRoot || hasNamespace else {
            throw scanner.error("<svg> without xmlns=\"\(SVGRules.namespace)\", so browsers do not draw it")
        }
        let known = open.reduce(into: prefixes.union(["xml"])) { $0.formUnion($1.prefixes) }
        if let unknown = used.subtracting(known).min() {
            throw scanner.error("the prefix \"\(unknown)\" is not declared")
        }
        let isEmpty = scanner.skip("/")
        guard scanner.skip(">") else { throw scanner.error("a tag is not well-formed") }
        if !isEmpty { open.append((name, prefixes)) }
    }

    /// Notes the ids and references of an attribute.
    private mutating func judge(_ attribute: SVGScanner.Attribute) throws(LogoError) -> SVGRules.Meaning {
        let verdict = SVGRules.verdict(on: attribute)
        if let fault = verdict.fault { throw scanner.error(fault) }
        if attribute.name == "id" { ids.insert(attribute.value) }
        references += verdict.references.map { ($0, scanner.position) }
        return verdict.meaning
    }
}
