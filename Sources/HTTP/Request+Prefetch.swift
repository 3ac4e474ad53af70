internal import SwitchyardText

extension Request {
    /// Whether the browser only looks ahead, so that nobody has chosen to come: prefetch, prerender, preview.
    public var isPrefetch: Bool {
        (fieldValues("sec-purpose") + fieldValues("purpose") + fieldValues("x-purpose") + fieldValues("x-moz"))
            .contains { value in
                let purpose = value.asciiLowercased
                return ["prefetch", "prerender", "preview"].contains { purpose.contains($0) }
            }
    }
}
