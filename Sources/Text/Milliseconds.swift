extension Duration {
    /// In whole milliseconds, as other programs and formats take it; what is less is cut off. Not for durations of 292
    /// million years and more.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
