package import SwitchyardPages

extension HTML {
    /// Appends the opening tags down to the title, in a language.
    package mutating func beginDocument(in language: Language, title: String) {
        markup("<!DOCTYPE html>\n<html lang=\"")
        text(language.tag)
        markup("\" dir=\"")
        text(language.direction.rawValue)
        markup("\">\n<head>\n<meta charset=\"utf-8\">\n")
        markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
        text(title)
        markup("</title>\n")
    }
}
