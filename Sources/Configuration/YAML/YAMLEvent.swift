/// One step of libyaml's parser, as a Swift value.
struct YAMLEvent {
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias
        case scalar(String, quoted: Bool)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    let kind: Kind
    let mark: Mark
    /// An `&anchor` stands before the value.
    var isAnchored = false
    /// A `!tag` stands before the value.
    var isTagged = false
}
