/// How a page looks before it is read: its symbol and the color of it.
package enum Tone {
    /// The sign-in is complete; the reader need not act.
    case done
    /// Something still goes on.
    case busy
    /// It ended, and not as wished.
    case stop
    /// Neutral information.
    case calm

    /// The opening tag of the card.
    package var card: StaticString {
        switch self {
        case .done: "<main class=\"done\">\n"
        case .busy: "<main class=\"busy\">\n"
        case .stop: "<main class=\"stop\">\n"
        case .calm: "<main class=\"calm\">\n"
        }
    }

    /// The drawing inside the circle, on a square of 24 by 24.
    package var symbol: StaticString {
        switch self {
        case .done: "<path d=\"m7.5 12.5 3 3 6-6.5\"/>"
        case .busy: "<path d=\"M12 6.5V12l3.5 2\"/>"
        case .stop: "<path d=\"M12 7v6M12 16.5v.01\"/>"
        case .calm: "<path d=\"M12 11v6M12 7.5v.01\"/>"
        }
    }
}
