internal import Glibc

/// A color in sRGB.
package struct Color: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    /// Reads `#rrggbb`, or `#rgb` for it; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var digits = Array(text.utf8)
        guard digits.first == UInt8(ascii: "#") else { return nil }
        digits.removeFirst()
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 6, values.count == 6 else { return nil }
        red = UInt8(values[0] << 4 | values[1])
        green = UInt8(values[2] << 4 | values[3])
        blue = UInt8(values[4] << 4 | values[5])
    }

    private init(red: Double, green: Double, blue: Double) {
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value * 255, 0), 255).rounded()) }
        (self.red, self.green, self.blue) = (byte(red), byte(green), byte(blue))
    }

    /// `#rrggbb`, in lower case.
    package var text: String {
        let digits = Array("0123456789abcdef")
        return [red, green, blue].reduce(into: "#") { $0 += "\(digits[Int($1 >> 4)])\(digits[Int($1 & 15)])" }
    }

    /// The contrast ratio of WCAG 2.2, from 1 to 21.
    package func contrast(with other: Color) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Colors of the same hue and saturation, each lighter than the one before, or darker; the last is white, or black.
    package func shades(lighter: Bool) -> [Color] {
        let channels = [red, green, blue].map { Double($0) / 255 }
        let (low, high) = (channels.min() ?? 0, channels.max() ?? 0)
        let lightness = (low + high) / 2
        // The position of each channel between the lowest and the highest is the hue.
        let shape = channels.map { high > low ? ($0 - low) / (high - low) : 0.5 }
        let saturation = high > low ? (high - low) / (1 - abs(2 * lightness - 1)) : 0
        let steps = 512
        return (1...steps).map { step in
            let part = Double(step) / Double(steps)
            let lightness = lighter ? lightness + (1 - lightness) * part : lightness * (1 - part)
            let width = saturation * (1 - abs(2 * lightness - 1))
            let values = shape.map { lightness + ($0 - 0.5) * width }
            return Color(red: values[0], green: values[1], blue: values[2])
        }
    }
}
