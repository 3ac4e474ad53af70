/// The elements and attributes of a logo.
enum SVGRules {
    static let namespace = "http://www.w3.org/2000/svg"
    private static let linkNamespace = "http://www.w3.org/1999/xlink"

    /// Elements that draw or describe a drawing (SVG 2, Filter Effects 1). No `script`, `style`, `a`, `image`,
    /// `feImage` or `foreignObject`, and no animation.
    static let elements: Set<String> = [
        "svg", "g", "defs", "symbol", "use", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline",
        "polygon", "text", "tspan", "textPath", "linearGradient", "radialGradient", "stop", "pattern", "clipPath",
        "mask", "marker", "filter", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
        "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood",
        "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feMerge", "feMergeNode", "feMorphology",
        "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence",
    ]

    /// The part that an attribute has in the names of its element.
    enum Meaning {
        /// `xmlns`.
        case namespace
        /// `xmlns:` and this prefix.
        case prefix(String)
        /// An attribute with this prefix, if any.
        case ordinary(prefix: String?)
    }

    struct Verdict {
        let meaning: Meaning
        /// The reason why the attribute is refused; nil for a good one.
        var fault: String?
        /// The ids that its value refers to.
        var references: [String] = []
    }

    /// Judges an attribute by its local name, with any prefix: an alias of a prefix changes nothing.
    static func verdict(on attribute: SVGScanner.Attribute) -> Verdict {
        let parts = attribute.name.split(separator: ":", maxSplits: 1).map(String.init)
        let (local, prefix) = (parts.last ?? "", parts.count == 2 ? parts[0] : nil)
        if attribute.name == "xmlns" {
            let fault = attribute.value == namespace ? nil : "the namespace \"\(attribute.value)\""
            return Verdict(meaning: .namespace, fault: fault)
        }
        if prefix == "xmlns" {
            let isGood =
                !["xml", "xmlns"].contains(local) && !attribute.value.isEmpty
                && (local != "xlink" || attribute.value == linkNamespace)
            return Verdict(meaning: .prefix(local), fault: isGood ? nil : "the namespace \"\(attribute.value)\"")
        }
        let meaning = Meaning.ordinary(prefix: prefix)
        let lower = local.lowercased()
        if lower.hasPrefix("on") {
            return Verdict(meaning: meaning, fault: "the event attribute \"\(attribute.name)\"")
        }
        if ["style", "src", "base", "action", "formaction", "attributename"].contains(lower) {
            return Verdict(meaning: meaning, fault: "the attribute \"\(attribute.name)\"")
        }
        if lower == "href" { return reference(attribute, meaning) }
        return functions(attribute, meaning)
    }

    private static func reference(_ attribute: SVGScanner.Attribute, _ meaning: Meaning) -> Verdict {
        guard let id = id(in: attribute.value[...]) else {
            return Verdict(
                meaning: meaning, fault: "\(attribute.name)=\"\(attribute.value)\" refers to something outside the file"
            )
        }
        return Verdict(meaning: meaning, references: [id])
    }

    /// The id of `#id`; nil for anything else.
    private static func id(in text: Substring) -> String? {
        let id = text.dropFirst()
        let isID = id.utf8.allSatisfy { SVGScanner.isNameByte($0) || $0 == UInt8(ascii: ":") }
        return text.first == "#" && !id.isEmpty && isID ? String(id) : nil
    }

    /// Functions of CSS that load something, beside `url`.
    private static let loading = ["src", "image", "image-set", "cross-fade", "element", "paint"]

    /// Judges a value that CSS may read: `url()` must name an id, and no other function may load something. A backslash
    /// could spell a function's name in another way.
    private static func functions(_ attribute: SVGScanner.Attribute, _ meaning: Meaning) -> Verdict {
        var verdict = Verdict(meaning: meaning)
        let value = attribute.value
        let fault = "\(attribute.name)=\"\(value)\" refers to something outside the file"
        guard !value.utf8.contains(UInt8(ascii: "\\")) else {
            verdict.fault = "a backslash in \(attribute.name)=\"\(value)\""
            return verdict
        }
        let pieces = value.split(separator: "(", omittingEmptySubsequences: false)
        for (before, after) in zip(pieces, pieces.dropFirst()) {
            let name = before.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }.reversed()
            let function = String(name).lowercased()
            if loading.contains(where: { function == $0 || function.hasSuffix("-\($0)") }) { verdict.fault = fault }
            guard function == "url" else { continue }
            guard let id = Self.id(inArguments: after) else {
                verdict.fault = fault
                return verdict
            }
            verdict.references.append(id)
        }
        return verdict
    }

    /// The id of `#id)…`, which may be quoted.
    private static func id(inArguments text: Substring) -> String? {
        guard let end = text.firstIndex(of: ")") else { return nil }
        var argument = text[..<end]
        while argument.first == " " { argument.removeFirst() }
        while argument.last == " " { argument.removeLast() }
        if let quote = argument.first, quote == "'" || quote == "\"" {
            guard argument.count > 1, argument.last == quote else { return nil }
            argument = argument.dropFirst().dropLast()
        }
        return id(in: argument)
    }
}
