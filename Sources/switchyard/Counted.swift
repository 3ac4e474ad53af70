extension Int {
    /// The number with its noun, such as "1 app" and "2 apps".
    func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
