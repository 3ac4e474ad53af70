internal import SwitchyardPages

/// Parts of pages that the operator and a team write: addresses of links, and logos.
extension DecodingContext {
    /// An address of https or mailto.
    func supportURL(_ node: YAMLNode) -> String? {
        pageAddress(node, "write https://… or mailto:…") { Self.isHTTPS($0) || Self.isMail($0) }
    }

    func privacyURL(_ node: YAMLNode) -> String? { pageAddress(node, "write https://…", Self.isHTTPS) }

    private static let longestURL = 2048

    private func pageAddress(_ node: YAMLNode, _ remedy: String, _ isGood: (String) -> Bool) -> String? {
        value(node, remedy) { text in
            let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
            return isPlain && text.utf8.count <= Self.longestURL && isGood(text) ? text : nil
        }
    }

    private static func isHTTPS(_ text: String) -> Bool {
        guard text.hasPrefix("https://") else { return false }
        let authority = text.dropFirst(8).prefix { !"/?#".contains($0) }
        return !authority.isEmpty && !authority.contains("@")
    }

    private static func isMail(_ text: String) -> Bool {
        guard text.hasPrefix("mailto:") else { return false }
        let sides = text.dropFirst(7).prefix { $0 != "?" }.split(separator: "@", omittingEmptySubsequences: false)
        return sides.count == 2 && !sides.contains("")
    }

    /// The picture in the file that `node` names; nil if it is none that a page may show, which is reported.
    func logo(_ node: YAMLNode) -> Logo? {
        guard let (path, contents) = contents(node, maximum: Logo.maximumBytes) else { return nil }
        do throws(LogoError) {
            return try Logo(contents.bytes)
        } catch {
            let place = error.line.map { ", line \($0)" } ?? ""
            self.error(
                at: node.mark, "the logo \(path)\(place): \(error.reason)",
                "name a whole PNG of at most 2,048 pixels a side, or an SVG that only draws: no scripts, no style, and no "
                    + "references but to #id of its own; at most 32 KiB")
            return nil
        }
    }
}
