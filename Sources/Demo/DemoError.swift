/// The reason why the demo could not go on.
package struct DemoError: Error, CustomStringConvertible {
    package let description: String
    /// The remedy; nil if there is none to tell.
    package let hint: String?

    init(_ description: String, hint: String? = nil) {
        self.description = description
        self.hint = hint
    }
}
