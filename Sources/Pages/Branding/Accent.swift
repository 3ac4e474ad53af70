/// The operator's color for buttons and links, one for each color scheme. Only legible ones can be made.
package struct Accent: Hashable, Sendable {
    package let light: Color
    package let dark: Color

    /// The smallest contrast of text (WCAG 2.2, success criterion 1.4.3).
    package static let smallestContrast = 4.5

    package init(light: Color, dark: Color) throws(AccentError) {
        let faults = Scheme.allCases.compactMap { $0.fault(of: $0 == .light ? light : dark) }
        guard faults.isEmpty else {
            throw AccentError(faults: faults, proposal: Self.nearest(light: light, dark: dark))
        }
        (self.light, self.dark) = (light, dark)
    }

    private init(checkedLight light: Color, dark: Color) {
        (self.light, self.dark) = (light, dark)
    }

    /// Legible colors of the same hues: the nearest darker one on the light card, the nearest lighter one on the dark card.
    package static func nearest(light: Color, dark: Color) -> Accent {
        Accent(checkedLight: Scheme.light.nearest(to: light), dark: Scheme.dark.nearest(to: dark))
    }

    /// As it is written in the configuration.
    package var text: String { "{ light: \"\(light.text)\", dark: \"\(dark.text)\" }" }

    /// The rules that a page has beside the stylesheet, on one line.
    package var style: String {
        ":root { --action: \(light.text); } "
            + "@media (prefers-color-scheme: dark) { :root { --action: \(dark.text); } }"
    }
}

/// The reason why a color is not legible, and colors that are.
package struct AccentError: Error {
    /// One for each scheme whose color is not legible.
    package let faults: [String]
    package let proposal: Accent
}

extension Accent {
    /// A color scheme of the pages. A test compares its colors with the stylesheet.
    package enum Scheme: String, CaseIterable, Sendable {
        case light, dark

        /// The color behind links and outlined buttons: `--card`.
        package var card: StaticString { self == .light ? "#ffffff" : "#1a1e24" }
        /// The color of the words on a filled button: `--on-action`.
        package var label: StaticString { self == .light ? "#ffffff" : "#0b1420" }

        /// The parts of a page that the color stands beside.
        private var neighbors: [(name: String, color: Color)] {
            [("card", card), ("label", label)].compactMap { name, text in
                Color(text.description).map { (name, $0) }
            }
        }

        fileprivate func fault(of color: Color) -> String? {
            let faults = neighbors.filter { color.contrast(with: $0.color) < Accent.smallestContrast }.map {
                "\(Self.spell(color.contrast(with: $0.color))) with its \($0.name)"
            }
            guard !faults.isEmpty else { return nil }
            return "in the \(rawValue) scheme \"\(color.text)\" has a contrast of " + faults.joined(separator: " and ")
        }

        fileprivate func nearest(to color: Color) -> Color {
            let shades = [color] + color.shades(lighter: self == .dark)
            return shades.first { fault(of: $0) == nil } ?? color
        }

        /// Cut off after two digits, so that no contrast below the smallest looks like it.
        private static func spell(_ contrast: Double) -> String {
            let hundredths = Int(contrast * 100)
            let rest = hundredths % 100
            return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
        }
    }
}
