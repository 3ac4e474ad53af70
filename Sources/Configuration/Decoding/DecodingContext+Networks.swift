internal import SwitchyardRouting

extension DecodingContext {
    /// A list of users of this machine.
    func uids(_ node: YAMLNode) -> [UInt32]? {
        list(node) { element in
            value(element, "write a user ID as a number, such as 1000") { text in
                // The highest one means "none" to the kernel.
                UInt32(text).flatMap { $0 != .max ? $0 : nil }
            }
        }
    }

    /// A list of address blocks.
    func networks(_ node: YAMLNode) -> [Network]? {
        let remedy = "write an address or a block such as 10.0.0.0/8 or 2001:db8::/32, no bits behind its length"
        return list(node) { element in
            let network = value(element, remedy) { Network($0) }
            if let network, network.isEverybody {
                warning(at: element.mark, "everybody is in \(network)", "name the networks that are meant")
            }
            return network
        }
    }
}
