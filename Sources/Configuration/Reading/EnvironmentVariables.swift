internal import SwitchyardText

extension DecodingContext {
    /// `text` with each `${NAME}` replaced by the environment variable; `$${` means a plain `${`.
    ///
    /// nil if a variable is missing, a name is wrong, the result is empty, or the file may not use variables; each is
    /// reported.
    func substituted(_ text: String, at mark: Mark, _ remedy: String) -> String? {
        var out = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            out += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                out += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                let name = rest.dropFirst(2).prefix { $0 != "}" }
                guard let value = variable(name, isClosed: name.endIndex < rest.endIndex, at: mark) else { return nil }
                out += value
                rest = rest[name.endIndex...].dropFirst()
            } else {
                out += "$"
                rest = rest.dropFirst()
            }
        }
        out += rest
        if out.isEmpty { error(at: mark, "\(text) is empty", remedy) }
        return out.isEmpty ? nil : out
    }

    private func variable(_ name: Substring, isClosed: Bool, at mark: Mark) -> String? {
        guard case .main(let environment) = file.role else {
            let place = if case .apps = file.role { "in a file of apps_directory" } else { "in an app to register" }
            error(
                at: mark, "an environment variable \(place)",
                "write the value itself; only the main file may use ${NAME}, and \"$${\" stands for a plain \"${\"")
            return nil
        }
        guard isClosed, Self.isVariableName(name) else {
            error(
                at: mark, "\"${\(name)\" names no environment variable",
                "write ${NAME}, with letters, digits and _; \"$${\" stands for a plain \"${\"")
            return nil
        }
        guard let value = environment[String(name)] else {
            error(at: mark, "the environment variable \(name) is not set", "set it, or write the value here")
            return nil
        }
        return value
    }

    private static func isVariableName(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !ASCII.isDigit(first) else { return false }
        return name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }
}
