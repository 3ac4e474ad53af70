/// How a page that shows a passing moment comes to show the next one.
enum PageUpdate {
    case never, byHand
    /// By itself, after a whole second or more.
    case after(seconds: Int)

    init(afterSeconds seconds: Int?) {
        self = seconds.map { .after(seconds: max(1, $0)) } ?? .byHand
    }
}
