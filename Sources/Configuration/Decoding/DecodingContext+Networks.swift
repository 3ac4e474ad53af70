internal import Routing

extension DecodingContext {
    /// A list of address blocks.
    func networks(_ node: YAMLNode) -> [Network]? {
        list(node) { element in
            value(element, "write an address or a block such as 10.0.0.0/8 or 2001:db8::/32, no bits behind its length")
            { Network($0) }
        }
    }
}
