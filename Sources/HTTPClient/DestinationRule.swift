internal import SwitchyardRouting

/// The servers that a request may be sent to. A name says nothing about them: it may lead into the network of this machine.
/// So the address of each connection is judged.
public enum DestinationRule: Hashable, Sendable {
    /// Every server: the operator wrote the whole address.
    case anyServer
    /// The operator named the host, and others chose the rest or know the name. It may be private or loopback. It is never
    /// link-local, where clouds keep their metadata services, and never multicast or unspecified.
    case namedHost
    /// Only servers of the public internet: others gave the address.
    case publicServer

    /// The reason against a connection to an address; nil if there is none.
    func objection(to address: IPAddress) -> SpecialUse? {
        guard self != .anyServer, let use = SpecialUse(ofResolved: address) else { return nil }
        return refuses(use) ? use : nil
    }

    /// The reason against a host that is written as an address, before a connection is made: behind a proxy, this machine
    /// never sees the address. nil for a name, which the proxy judges.
    func objection(toHost host: String) -> SpecialUse? {
        guard self != .anyServer, let use = SpecialUse(ofHost: host.contains(":") ? "[\(host)]" : host),
            use != .localName, !Self.isName(host)
        else {
            return nil
        }
        return refuses(use) ? use : nil
    }

    private func refuses(_ use: SpecialUse) -> Bool {
        switch (self, use) {
        case (.anyServer, _): false
        case (.publicServer, _): true
        case (.namedHost, .linkLocal), (.namedHost, .multicast), (.namedHost, .unspecified), (.namedHost, .unreadable):
            true
        case (.namedHost, .loopback), (.namedHost, .privateNetwork), (.namedHost, .sharedNetwork),
            (.namedHost, .reserved), (.namedHost, .localName):
            false
        }
    }

    /// `localhost` and names below it are looked up like all names.
    private static func isName(_ host: String) -> Bool { host == "localhost" || host.hasSuffix(".localhost") }
}
