import Glibc
import SwitchyardPages
import Testing

@testable import SwitchyardGateway

/// WCAG 2.2, success criterion 1.4.3, on the colors that the stylesheet names.
@Suite("Pages: contrast") struct PagesContrastTests {
    @Test(
        "text and symbols reach a contrast of 4.5 on the card, in light and in dark",
        arguments: ["text", "quiet", "done", "busy", "stop", "action"], [0, 1])
    func contrast(name: String, scheme: Int) throws {
        #expect(try contrast(of: name, on: "card", scheme: scheme) >= 4.5)
    }

    @Test("the words on a filled button reach a contrast of 4.5", arguments: [0, 1])
    func button(scheme: Int) throws {
        #expect(try contrast(of: "on-action", on: "action", scheme: scheme) >= 4.5)
    }

    private func contrast(of front: String, on back: String, scheme: Int) throws -> Double {
        let front = try #require(luminance(ofColor: front, scheme: scheme))
        let back = try #require(luminance(ofColor: back, scheme: scheme))
        return (max(front, back) + 0.05) / (min(front, back) + 0.05)
    }

    /// The relative luminance of the color `--name`; the light scheme stands first in the stylesheet, the dark second.
    private func luminance(ofColor name: String, scheme: Int) -> Double? {
        let css = Stylesheet.text.description
        let places = css.ranges(of: "--\(name): #")
        guard places.count == 2, let color = UInt32(css[places[scheme].upperBound...].prefix(6), radix: 16) else {
            return nil
        }
        let channels = [color >> 16, color >> 8, color].map { linear(Double($0 & 0xFF) / 255) }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    private func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
